"""Every code block of the page on runs prints what stands below it."""

import contextlib
import io
import re
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "runs.md"


def test_every_block_prints_what_is_shown():
    text = PAGE.read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```\n\n```text\n(.*?)^```$", text, re.S | re.M)
    assert len(blocks) == text.count("```python") == 7
    names = {}
    for code, shown in blocks:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(code, PAGE.name, "exec"), names)
        assert printed.getvalue().rstrip().splitlines() == shown.rstrip().splitlines()

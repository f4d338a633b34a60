"""Check the links of a built site among themselves: ``python -m docs._check FOLDER``."""

from __future__ import annotations

import sys
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class _Page(HTMLParser):
    """What a page links to, and the places in it that can be linked to."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Read a tag."""
        for name, value in attrs:
            if name == "id" and value:
                self.places.add(value)
            if name in ("href", "src") and value and tag != "base":
                self.targets.append(value)


@cache
def _read(path: Path) -> _Page:
    return _Page(path.read_text(encoding="utf-8"))


def broken_links(site: Path) -> list[str]:
    """List the links of all pages that lead to no file, or to no place in it."""
    found = []
    for path in sorted(site.rglob("*.html")):
        if path.parts[len(site.parts)] == "_static":  # parts of a theme, no pages
            continue
        for target in _read(path).targets:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                continue
            aim = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            place = unquote(parts.fragment)
            if aim.is_dir():
                aim /= "index.html"
            whole = aim.exists() and (
                not place or aim.suffix != ".html" or place in _read(aim).places
            )
            if not whole:
                found.append(f"{path.relative_to(site)}: {target}")
    return found


def main() -> int:
    """Print the broken links of the site in the folder given; 1 if there are any."""
    site = Path(sys.argv[1]).resolve()
    pages = len(list(site.rglob("*.html")))
    found = broken_links(site)
    print(*found, f"{pages} pages, {len(found)} broken links", sep="\n")  # noqa: T201
    return 1 if found or not pages else 0


if __name__ == "__main__":
    sys.exit(main())

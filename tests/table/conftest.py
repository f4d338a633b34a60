"""Tables need jinja2, which the extra `table` installs."""

import pytest

pytest.importorskip("jinja2")

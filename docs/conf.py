"""
How the site is built: ``python -m sphinx -W --keep-going docs docs/_build/html``.

What can be derived from the package is written anew at each build by ``_generate.py``, into
a folder that git ignores. Pages and notebooks link to each other as they lie in the
repository; such links are turned here into those of the site.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent)]

from pygments.lexers.special import TextLexer  # noqa: E402

import beam_pandas  # noqa: E402
from docs import _generate, _links, _references  # noqa: E402

project = "beam_pandas"
author = "The beam_pandas developers"
project_copyright = author
version = release = beam_pandas.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx_copybutton",
    "numpydoc",
    "myst_nb",
]
exclude_patterns = ["_build", "**.ipynb_checkpoints"]
default_role = "py:obj"
add_module_names = False
toc_object_entries = False
keep_warnings = False

autodoc_typehints = "none"  # the docstrings give types in words
autodoc_preserve_defaults = True
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False

nb_execution_mode = "off"  # notebooks carry their output; the tests run them
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3
copybutton_prompt_text = r">>> |\.\.\. "
copybutton_prompt_is_regexp = True

html_theme = "pydata_sphinx_theme"
html_title = f"beam_pandas {release}"
html_static_path = ["_static"]
html_js_files = ["filter.js"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_sidebars: dict[str, list[str]] = {"index": []}
html_theme_options: dict[str, Any] = {
    "show_prev_next": True,
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
}


def setup(app: Any) -> None:
    """Write what is derived, and hang in what reads links and references."""
    _generate.write(HERE)
    app.add_lexer("csv", TextLexer)
    app.connect("source-read", _links.turn_links)
    app.connect("doctree-read", _links.link_names)
    app.connect("autodoc-process-docstring", _references.number_references, priority=400)

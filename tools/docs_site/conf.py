"""Sphinx's settings for the site; `python tools/docs_site` calls it."""

import re
import tomllib
from pathlib import Path
from typing import Any

_PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))[
    "project"
]

project = "Saddlepoint"
author = "The Saddlepoint authors"
project_copyright = author
extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_heading_anchors = 4
default_role = "code"
add_module_names = False
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
python_maximum_signature_line_length = 90
autodoc_preserve_defaults = True
autodoc_class_signature = "mixed"
html_theme = "furo"
html_title = "Saddlepoint"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_js_files = ["site.js", "matrix_game.js", "matrix_editor.js"]
html_favicon = "../../src/saddlepoint/web/static/icon.svg"
html_show_sphinx = False
html_copy_source = False
html_theme_options = {"navigation_with_keys": False}


def plain_docstring(app: Any, what: str, name: str, value: Any, options: Any, lines: list[str]) -> None:
    """A docstring in plain text as reStructuredText: `code` as a literal, what is indented as a block, other marks as themselves."""
    told: list[str] = []
    before = ""
    in_block = False
    for line in lines:
        if in_block and line.strip() and not line.startswith("    "):
            in_block = False
            told.append("")
        if not in_block and line.startswith("    ") and not before.strip():
            told += ["::", ""]
            in_block = True
        told.append(line if in_block else _escaped(line))
        before = line
    lines[:] = told


def _escaped(line: str) -> str:
    parts = re.split(r"(`[^`]+`)", line)
    return "".join(
        f"`{part}`" if part.startswith("`") else re.sub(r"([*|]|_\b)", r"\\\1", part) for part in parts
    )


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", plain_docstring)

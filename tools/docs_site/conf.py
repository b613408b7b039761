"""Sphinx's settings for the site; `python tools/docs_site` calls it."""

import inspect
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
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_copybutton"]
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True
toc_object_entries = False
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


_ITEM = re.compile(r"- `(\w+)`: (.*)")


def plain_docstring(app: Any, what: str, name: str, value: Any, options: Any, lines: list[str]) -> None:
    """A docstring in plain text as reStructuredText: `code` as a literal, what is indented as a block, other marks as themselves.

    A list of parameters, each `- `name`: what it is`, becomes one of Sphinx's; what follows >>> is an example.
    """
    told: list[str] = []
    before = block = ""
    has_example = False
    listed = _listed(lines, _parameters(value))
    for place, line in enumerate(lines):
        if block == ">>>" and not line.strip():
            block = ""
        elif block == "::" and line.strip() and not line.startswith("    "):
            block = ""
            told.append("")
        if not block and line.startswith(">>> "):
            block = ">>>"
            told += [] if has_example else [".. rubric:: Example", ""]
            has_example = True
        elif not block and line.startswith("    ") and not before.strip():
            block = "::"
            told += ["::", ""]
        item = _ITEM.match(line) if place in listed else None
        text = f":param {item[1]}: {_escaped(item[2])}" if item else line if block else _escaped(line)
        told.append(text)
        before = line
    lines[:] = told


def _parameters(value: Any) -> set[str]:
    """The names of what a function or a class takes."""
    try:
        return {*inspect.signature(value).parameters}
    except (TypeError, ValueError):
        return set()


def _listed(lines: list[str], parameters: set[str]) -> set[int]:
    """Which lines begin an item of a list that explains parameters, one an item, and nothing else."""
    found: set[int] = set()
    items: list[int] = []
    for place, line in enumerate([*lines, ""]):
        if line.startswith("- "):
            items.append(place)
        elif items and not line.startswith("  "):
            matches = [_ITEM.match(lines[item]) for item in items]
            if all(match and match[1] in parameters for match in matches):
                found |= {*items}
            items = []
    return found


def _escaped(line: str) -> str:
    parts = re.split(r"(`[^`]+`)", line)
    return "".join(
        f"`{part}`" if part.startswith("`") else re.sub(r"([*|]|_\b)", r"\\\1", part) for part in parts
    )


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("autodoc-process-docstring", plain_docstring)

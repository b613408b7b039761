"""The list of names that a game may import, as docs/plugins.md has it: made of `games/interface/__init__.pyi`.

python tools/plugins_table.py > docs/plugins.md
"""

import ast
from pathlib import Path

STUB = Path(__file__).resolve().parents[1] / "src/saddlepoint/games/interface/__init__.pyi"
LAST = "Used by one game"
"""The heading of the last part of the list."""

PAGE = """\
# Plugins

This page lists the names of the library that a game in a package of its own may import.
[From a game to a link](game-to-link.md#a-package-of-its-own) makes such a package.

```python
from saddlepoint.games.interface import Description, Level, Players, SearchPlayer
```

A game imports from its own folder, from Python and NumPy, and from three places of the library:

- `saddlepoint`: `help(saddlepoint)` lists its names.
- `saddlepoint.games.interface`: its names are below.
- `saddlepoint.system.terminal`: with it a command prints.

The library's own games import nothing else. The names are [public](versions.md), but a minor version may change those
under "{last}". `python tools/plugins_table.py` makes this page.

| subject | names |
|---|---|
{rows}
"""


def subjects() -> dict[str, list[str]]:
    """The names of the interface, by the headings of its stub."""
    text = STUB.read_text(encoding="utf-8")
    lines = text.splitlines()
    headings = {
        at: line[2:]
        for at, line in enumerate(lines, 1)
        if line.startswith("# ") and not lines[at - 2].strip()
    }
    found: dict[str, list[str]] = {heading: [] for heading in headings.values()}
    for node in ast.parse(text).body:
        if isinstance(node, ast.ImportFrom):
            heading = headings[max(at for at in headings if at < node.lineno)]
            found[heading] += [alias.name for alias in node.names]
    return found


def page() -> str:
    """The text of docs/plugins.md."""
    rows = [
        f"| {subject} | {', '.join(f'`{name}`' for name in names)} |" for subject, names in subjects().items()
    ]
    return PAGE.format(last=LAST, rows="\n".join(rows))


if __name__ == "__main__":
    print(page(), end="")

"""The list of names that a game may import, as docs/plugins.md has it: made of `games/interface/__init__.pyi`.

python tools/plugins_table.py > docs/plugins.md
"""

import ast
from pathlib import Path

STUB = Path(__file__).resolve().parents[1] / "src/saddlepoint/games/interface/__init__.pyi"
LAST = "Used by one game"
"""The heading of the last part of the list."""

PAGE = """\
# What a game may import

**You get** the names of the library that a game is made of, the same for ours and for yours. **Time:** a look-up.

```python
from saddlepoint.games.interface import Description, Level, Players, SearchPlayer
```

A game imports from its own folder, from Python and NumPy, and from three places of the library:

- `saddlepoint.games.interface`, whose names are below. Each is loaded when it is first asked for;
- `saddlepoint`, the names of which are in `help(saddlepoint)`;
- `saddlepoint.system.terminal`, with which a command prints.

A test holds this for every game of the library, and for the package in `examples/take_away`. The names in the table are
[public](versions.md), those of "{last}" are too, but a minor version may change them. This page is made by `python tools/plugins_table.py`.

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

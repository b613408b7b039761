"""A game as one HTML file, which opens from disk and asks nothing of any network."""

import base64
import hashlib
import html
import json
import re
from importlib.resources import files
from typing import Any

_IMPORT = re.compile(r'^import \{ ([^}]+) \} from "\./(\w+)\.js";\n', re.MULTILINE)
_REEXPORT = re.compile(r'^export \{ ([^}]+) \} from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:class|function|const) (\w+))", re.MULTILINE)
_REMARK = re.compile(r"^ */\*\*(?:[^*]|\*(?!/))*\*/\n?|^ *//.*\n|^ +", re.MULTILINE)


def page(data: dict[str, Any], title: str = "") -> str:
    """The page that shows a game, `data` being `game_data` of it."""
    script = bundled(asset("export.js"))
    first, second = data["players"]
    title = title or f"{first} against {second}: {data['title']}"
    text = next((one["text"] for one in data["positions"][:1]), "")
    return "".join(
        (
            '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy(script)}">',
            f'<meta name="color-scheme" content="light dark"><title>{html.escape(title)}</title>',
            f"<style>{asset('viewer.css')}{asset('export.css')}</style></head>\n",
            f'<body><main><h1>{html.escape(data["title"])}</h1><div id="game"><pre>{html.escape(str(text))}</pre>',
            "<noscript><p>This page needs its own script to step through the game.</p></noscript></div></main>",
            f'<script type="application/json" id="data">{embedded(data)}</script><script>{script}</script></body></html>\n',
        )
    )


def policy(script: str) -> str:
    """The content security policy of a page with this one script: nothing is loaded, nothing else runs."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def embedded(data: Any) -> str:
    """Plain data as text of a script element: no character in it can end the element."""
    text = json.dumps(data, separators=(",", ":"), allow_nan=False)
    for character in "<>&":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def bundled(main: str) -> str:
    """A module, given as its text, with all that it imports of the viewer as one classic script.

    Each module keeps its names to itself; remarks and indents are left out.
    """
    parts: list[str] = []
    done: set[str] = set()

    def add(module: str, source: str | None = None) -> None:
        if module in done:
            return
        done.add(module)
        source = asset(f"{module}.js") if source is None else source
        for needed in [*_IMPORT.findall(source), *_REEXPORT.findall(source)]:
            add(needed[1])
        shared = _EXPORT.findall(source)
        shared += [f"{one}: module_{other}.{one}" for names, other in _REEXPORT.findall(source) for one in names.split(", ")]
        source = _REMARK.sub("", _EXPORT.sub("", _REEXPORT.sub("", _IMPORT.sub(_taken, source))))
        parts.append(f"const module_{module} = (() => {{\n{source}return {{ {', '.join(shared)} }};\n}})();\n")

    add("main", main)
    return '"use strict";\n' + "".join(parts)


def asset(name: str) -> str:
    """The text of one of the viewer's files."""
    return files("saddlepoint.play.viewer").joinpath(name).read_text(encoding="utf-8")


def _taken(found: re.Match[str]) -> str:
    return f"const {{ {found[1].replace(' as ', ': ')} }} = module_{found[2]};\n"

"""A game as plain data for the viewer: its positions as pictures, each given as what differs from the one before."""

import base64
import hashlib
import html
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from typing import Any

from ...game.base import CHANCE, Game
from ...game.picture import Picture, continued
from ...game.spec import Spec, spec_of
from ...game.words import title_of
from ..record import Turns, distinct_names, player_words, reasons, words_of_faults
from ..replay import Replay, Round, positions_and_actions, taken_over_json

_LISTS = ("walls", "marks", "pieces", "trails")


def game_data(game: Game, replay: Replay) -> dict[str, Any]:
    """The game of a replay; `value` of a position is player 0's as the searches that chose there saw it, of the last one the result."""
    states, actions = positions_and_actions(game, replay)
    positions: list[dict[str, Any]] = [
        {"picture": picture, "text": text}
        for picture, text in zip(
            packed(pictures(game, states)), _changed_lines(map(game.to_text, states)), strict=True
        )
    ]
    for at, played in enumerate(replay.rounds):
        drawn = None if played.chance is None else game.outcome_to_string(states[at], played.chance)
        positions[at + 1].update(_move(played, drawn))
    searched = [_searched(side) for side in replay.searches]
    for position, found in zip(positions, searched, strict=False):
        position.update(found)
    is_over = not game.players_to_act(states[-1]) and game.current_player(states[-1]) != CHANCE
    if any(searched) and is_over:
        positions[-1]["value"] = replay.result
    return {
        **turns_data(game, states),
        "first_turn": game.first_turn,
        "game": str(spec_of(game)),
        "title": heading_of(game),
        "players": list(replay.players),
        "titles": [player_words(name) for name in replay.players],
        "result": replay.result,
        "reason": replay.reason,
        "why": [] if any(replay.faults) else reasons(game, states, distinct_names(replay.players)),
        "faults": list(words_of_faults(replay.faults, Turns(game, states))),
        "resigned": replay.resigned,
        "start": replay.start,
        "seed": None if replay.seed is None else str(replay.seed),
        "positions": positions,
        "actions": list(map(list, actions)),
        "range": [float(game.min_utility), float(game.max_utility)],
        **taken_over_json(replay.since, replay.former),
    }


def turns_data(game: Game, states: Sequence[Any]) -> dict[str, Any]:
    """The game's word for a turn, and the number of turns before each position."""
    turns = Turns(game, states)
    return {"turn_word": turns.word, "turns": [turns.done(step) for step in range(len(states))]}


def heading_of(game: Game) -> str:
    """The game's title with the parameters that are not the usual ones: "My Game (width=5, height=5)"."""
    inside = str(Spec("game", spec_of(game).options)).removeprefix("game")
    return f"{title_of(type(game))} {inside}".rstrip()


def pictures(game: Game, states: Iterable[Any]) -> Iterator[Picture]:
    """The pictures of the positions of a game, each continued from the one before."""
    before: Picture | None = None
    for state in states:
        now = game.picture(state)
        before = now if before is None else continued(before, now)
        yield before


def packed(shown: Iterable[Picture]) -> list[dict[str, Any]]:
    """Pictures as plain data without their moves, each but the first as what differs from the one before.

    `same` names what is the same; of a list there may be only the numbers of the entries to `drop` from the one before,
    the cells to add to those that `grow` ([number, cells]), and the entries to `add` at its end.
    """
    found: list[dict[str, Any]] = []
    before: dict[str, Any] | None = None
    for picture in shown:
        now = picture.to_json()
        now.pop("moves", None)
        if picture.width:
            now.pop("text", None)
        delta: dict[str, Any] = now
        if before is not None:
            delta = {"same": [key for key, value in now.items() if before.get(key) == value]}
            for key, value in now.items():
                if key not in delta["same"]:
                    delta[key] = value
                    if key in _LISTS:
                        delta[key], now[key] = _changed(before.get(key, []), value)
        found.append(delta)
        before = now
    return found


def _changed(before: list[Any], now: list[Any]) -> tuple[list[Any] | dict[str, Any], list[Any]]:
    """The list, or how it comes from the one before where that is less to say; and the list as the page will have it: the same
    entries, perhaps in another order."""
    left = list(now)
    kept: list[Any] = []
    drop: list[int] = []
    grow: list[list[Any]] = []
    for number, one in enumerate(before):
        longer = next((other for other in left if _grown(one, other)), None)
        if one in left:
            left.remove(one)
            kept.append(one)
        elif longer is not None:
            left.remove(longer)
            kept.append(longer)
            grow.append([number, longer["cells"][len(one["cells"]) :]])
        else:
            drop.append(number)
    if len(left) + len(drop) >= len(now):
        return now, now
    changes = {key: value for key, value in (("drop", drop), ("grow", grow), ("add", left)) if value}
    return changes, [*kept, *left]


def _grown(one: Any, other: Any) -> bool:
    """Whether it is the same trail with cells added."""
    if not isinstance(one, dict) or "cells" not in one or {**one, "cells": 0} != {**other, "cells": 0}:
        return False
    return len(other["cells"]) > len(one["cells"]) and other["cells"][: len(one["cells"])] == one["cells"]


def _changed_lines(texts: Iterable[str]) -> Iterator[str | list[Any]]:
    """The first text; of each further one the number of its lines and those that differ from the one before, by number."""
    before: list[str] | None = None
    for text in texts:
        lines = text.split("\n")
        if before is None:
            yield text
        else:
            yield [
                len(lines),
                {str(n): line for n, line in enumerate(lines) if n >= len(before) or before[n] != line},
            ]
        before = lines


def _move(played: Round, drawn: str | None) -> dict[str, Any]:
    """The moves that led to a position, or the outcome of chance."""
    if drawn is not None:
        return {"chance": drawn}
    told: dict[str, Any] = {"names": list(played.moves)}
    if any(played.ms):
        told["ms"] = [
            ms if move is not None else None for ms, move in zip(played.ms, played.moves, strict=True)
        ]
    return told


def _searched(searches: Sequence[Any]) -> dict[str, Any]:
    """A summary of the searches at a position: the mean of their values, the greatest depth, the sum of their
    nodes.
    """
    values, depths, nodes = (
        [value for one in searches if one is not None and (value := getattr(one, name)) is not None]
        for name in ("value", "depth", "nodes")
    )
    found = {
        "value": sum(values) / len(values) if values else None,
        "depth": max(depths, default=None),
        "nodes": sum(nodes) or None,
    }
    return {key: value for key, value in found.items() if value is not None}


# A game as one HTML file, which opens from disk and asks nothing of any network.

_IMPORT = re.compile(r'^import \{ ([^}]+) \} from "\./(\w+)\.js";\n', re.MULTILINE)
_REEXPORT = re.compile(r'^export \{ ([^}]+) \} from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:class|function|const) (\w+))", re.MULTILINE)
_REMARK = re.compile(r"^[ \t]*/\*\*(?:[^*]|\*(?!/))*\*/\n?|^[ \t]*//.*\n|^[ \t]+", re.MULTILINE)
_LATER = re.compile(r'import\("\./(\w+)\.js"\)')


def page(data: dict[str, Any], title: str = "") -> str:
    """The page that shows a game, `data` being `game_data` of it."""
    script = bundled(asset("export.js"))
    title = title or f"{' against '.join(data['players'])}: {data['title']}"
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

    Each module keeps its names to itself; remarks and indents are left out. What a page of the server would load later is there too.
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
        shared += [
            f"{one}: module_{other}.{one}"
            for names, other in _REEXPORT.findall(source)
            for one in names.split(", ")
        ]
        source = _REMARK.sub("", _EXPORT.sub("", _REEXPORT.sub("", _IMPORT.sub(_taken, source))))
        for later in _LATER.findall(source):
            add(later)
        source = _LATER.sub(r"Promise.resolve(module_\1)", source)
        parts.append(
            f"const module_{module} = (() => {{\n{source}return {{ {', '.join(shared)} }};\n}})();\n"
        )

    add("main", main)
    return '"use strict";\n' + "".join(parts)


def asset(name: str) -> str:
    """The text of one of the viewer's files."""
    return files("saddlepoint.play.viewer").joinpath(name).read_text(encoding="utf-8")


def _taken(found: re.Match[str]) -> str:
    return f"const {{ {found[1].replace(' as ', ': ')} }} = module_{found[2]};\n"

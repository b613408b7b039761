"""Texts and pictures of games in JavaScript, for tests: what Node answers, and what Python says to the same questions."""

import json
import random
from pathlib import Path
from typing import Any

from helpers.exported_modules import SCRIPTS, in_node
from helpers.recorded_games import random_game
from saddlepoint.compiled.words import words_of_state
from saddlepoint.export import webassembly
from saddlepoint.export.process import Exported
from saddlepoint.export.translating import translated
from saddlepoint.game.base import Game
from saddlepoint.game.picture import shown_from
from saddlepoint.play.position_text import position_of_text, text_of_moves
from saddlepoint.play.record import Turns, endings_json, reasons

HOST = Path(webassembly.__file__).with_name("host")
NAMES = [["Ann", "Bob"], ["You", "best"], ["random", "You"]]


def texts_in_node(
    game: Game, made: Exported | None, folder: Path, questions: list[dict[str, Any]]
) -> list[Any]:
    """What the translated texts answer in Node; the rules are those of a module."""
    source = "\n".join(
        [*((HOST / name).read_text() for name in ("engine.js", "python.js")), translated(game)]
    )
    (folder / "texts_module.mjs").write_text(f"{source}\nexport {{ Game, makeTexts, python }};\n")
    (folder / "about.json").write_text(json.dumps(made.about if made else {}))
    (folder / "rules.wasm").write_bytes(made.module if made else b"")
    files = [folder / name for name in ("texts_module.mjs", "about.json", "rules.wasm")]
    options = ("--disallow-code-generation-from-strings", SCRIPTS / "texts.mjs")
    return in_node(*options, *files, given=json.dumps(questions))


def in_hexadecimal(state: Any) -> list[str]:
    """A position's words."""
    return [f"{word:x}" for word in words_of_state(state)]


def position_question(game: Game, state: Any) -> dict[str, Any]:
    """Everything that is said of one position."""
    return {
        "ask": "position",
        "state": in_hexadecimal(state),
        "legal": [game.legal_actions(state, p) for p in (0, 1)],
        "outcomes": [outcome for outcome, _ in game.chance_outcomes(state)],
    }


def position_answer(game: Game, state: Any) -> dict[str, Any]:
    """The same as Python says it."""
    text = game.to_text(state)
    return {
        "picture": plain(game.picture(state).to_json()),
        "text": text,
        "render": game.render(state),
        "back": verdict(game, text),
        "actions": [
            [game.action_to_string(state, p, action) for action in game.legal_actions(state, p)]
            for p in (0, 1)
        ],
        "outcomes": [game.outcome_to_string(state, outcome) for outcome, _ in game.chance_outcomes(state)],
    }


def game_question(states: list[Any], first: int) -> dict[str, Any]:
    """Everything that is said of a whole game."""
    return {"ask": "game", "states": list(map(in_hexadecimal, states)), "names": NAMES, "first": first}


def game_answer(game: Game, states: list[Any], first: int) -> dict[str, Any]:
    """The same as Python says it."""
    counted = Turns(game, states)
    last = len(states) - 1
    return {
        "pictures": [
            plain(one.to_json()) for one in shown_from(0, last, lambda number: game.picture(states[number]))
        ],
        "later": [
            plain(one.to_json())
            for one in shown_from(first, last, lambda number: game.picture(states[number]))
        ],
        "endings": endings_json(game, states),
        "turns": {"word": counted.word, "done": [counted.done(step) for step in range(last + 1)]},
        "reasons": [reasons(game, states, names) for names in NAMES],
    }


def verdict(game: Game, text: str) -> Any:
    """The words of the position that a text describes, or the sentence that refuses it."""
    try:
        return in_hexadecimal(position_of_text(game, text))
    except Exception as error:
        return {"refused": str(error), "kind": type(error).__name__}


def plain(value: Any) -> Any:
    """As JSON has it."""
    return json.loads(json.dumps(value, default=lambda one: one.item()))


def mutated(game: Game, rng: random.Random, count: int) -> list[str]:
    """Texts of positions and of moves that lead there, most of them spoilt."""
    found: list[str] = []
    while len(found) < count:
        states, joints = random_game(game, rng, most=rng.randint(0, 40))
        text = game.to_text(rng.choice(states))
        if rng.random() < 0.4:
            steps = rng.randint(0, min(6, len(joints)))
            text = text_of_moves(game, states[:steps], joints[:steps]) if steps else "moves:"
        found.append(spoilt(text, rng, rng.choice((0, 1, 1, 1, 2, 4))))
    return found


def spoilt(text: str, rng: random.Random, times: int) -> str:
    """A text after so many changes at random places."""
    for _ in range(times):
        text = _spoilt(text, rng)
    return text


_MARKS = "01234567890123456789.xoab/,:#()-+ \n_\t*XYRW²٣é😀'\"{}[]eETrue\r\\"


def _spoilt(text: str, rng: random.Random) -> str:
    """The text with a character, a piece, words or lines changed."""
    place, other = (rng.randint(0, len(text)) for _ in range(2))
    words, lines, mark = text.split(" "), text.split("\n"), rng.choice(_MARKS)
    words.insert(rng.randint(0, len(words)), rng.choice(words))
    rng.shuffle(lines)
    changed = (
        text[:place] + mark + text[place:],
        text[:place] + text[place + 1 :],
        text[:place] + mark + text[place + 1 :],
        text[: min(place, other)] + text[max(place, other) :],
        " ".join(words),
        "\n".join(lines),
        text.swapcase() if rng.random() < 0.3 else text.replace(rng.choice(text or " "), mark),
    )
    return rng.choice(changed)

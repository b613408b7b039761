"""Exports for tests, each made once, and hosts that run them: Node, and wasmtime where a test wants a second one."""

import functools
import json
import math
import random
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any, Self

import pytest

from helpers.recorded_games import random_game
from saddlepoint.compiled.words import words_of_state
from saddlepoint.export import webassembly
from saddlepoint.export.process import Exported, exported, folder_of
from saddlepoint.export.translating import translated
from saddlepoint.game.base import Game
from saddlepoint.game.picture import shown_from
from saddlepoint.play.position_text import position_of_text, text_of_moves
from saddlepoint.play.record import Turns, endings_json, reasons

SCRIPTS = Path(__file__).parents[1] / "export"
needs_node = pytest.mark.skipif(
    shutil.which("node") is None, reason="Node is not installed, which runs exports here"
)


def needs_linker() -> None:
    """Skip, in one sentence, where the extra is not installed."""
    pytest.importorskip(
        "ziglang", reason="the extra `export` is not installed: make test-export installs it and tries this"
    )


made = functools.cache(exported)


class Node:
    """A script in Node that is asked by lines of JSON; use it in a `with` statement."""

    def __init__(self, script: str, *arguments: str | Path) -> None:
        command = ["node", str(SCRIPTS / script), *map(str, arguments)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, question: Any) -> Any:
        """The answer to a question."""
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(question) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._process.communicate()


def in_node(*arguments: str | Path, given: str = "") -> list[Any]:
    """What a program of Node prints as lines of JSON, to these lines."""
    ended = subprocess.run(
        ["node", *map(str, arguments)], input=given, capture_output=True, text=True, check=False, timeout=600
    )
    assert ended.returncode == 0, ended.stderr
    return [json.loads(line) for line in ended.stdout.splitlines()]


def ask_node(one: Exported, folder: Path, questions: list[dict[str, Any]]) -> list[Any]:
    """What the files of `--to wasm` answer in Node."""
    for name, content in folder_of(one).items():
        (folder / name).write_bytes(content)
    return in_node(SCRIPTS / "answers.mjs", folder, one.about["name"], given=json.dumps(questions))


class Wasmtime:
    """A module in wasmtime, driven by what docs/exporting.md says of its functions and by nothing else."""

    def __init__(self, one: Exported) -> None:
        wasmtime = pytest.importorskip(
            "wasmtime", reason="wasmtime is not installed: make test-export installs it and tries this"
        )
        engine = wasmtime.Engine()
        self._store, module, linker = (
            wasmtime.Store(engine),
            wasmtime.Module(engine, one.module),
            wasmtime.Linker(engine),
        )
        for asked in module.imports:
            found = getattr(math, asked.name, lambda *_: 0)
            linker.define(self._store, "env", asked.name, wasmtime.Func(self._store, asked.type, found))
        self._functions = linker.instantiate(self._store, module).exports(self._store)
        self._memory = self._functions["memory"]
        room = 8 * (2 * one.about["words"] + one.about["max_actions"] + 2 * one.about["max_outcomes"]) + 64
        base = 65536 * self._memory.grow(self._store, -(-room // 65536))
        self._words = one.about["words"]
        self.position, self.after = base, base + 8 * self._words
        self.list = self.after + 8 * self._words
        self.odds = self.list + 8 * max(one.about["max_actions"], one.about["max_outcomes"])

    def call(self, name: str, *arguments: Any) -> Any:
        return self._functions[name](self._store, *arguments)

    def put(self, words: list[int]) -> None:
        self._memory.write(self._store, struct.pack(f"<{len(words)}Q", *words), self.position)

    def _read(self, kind: str, place: int, count: int) -> list[Any]:
        return list(
            struct.unpack(f"<{count}{kind}", self._memory.read(self._store, place, place + 8 * count))
        )

    def answer(self, words: list[int], joint: tuple[int, int] | None) -> dict[str, Any]:
        """The same answer as `position` of answers.mjs."""
        self.put(words)
        node = self.call("current_player", self.position)
        acting = [0, 1] if node == -2 else [node] if node in (0, 1) else []
        lists: dict[str, list[list[int]]] = {"legal_actions": [[], []], "search_actions": [[], []]}
        for name, found in lists.items():
            for player in acting:
                found[player] = self._read("q", self.list, self.call(name, self.position, player, self.list))
        outcomes: list[list[Any]] = []
        if node == -1:
            count = self.call("chance_outcomes", self.position, self.list, self.odds)
            outcomes = [
                list(pair)
                for pair in zip(
                    self._read("q", self.list, count), self._read("d", self.odds, count), strict=True
                )
            ]
        after = None
        if joint is not None:
            self.call("successor", self.position, *joint, self.after)
            after = [f"{word:x}" for word in self._read("Q", self.after, self._words)]
        return {
            "node": node,
            "toAct": acting,
            "legal": lists["legal_actions"],
            "worth": lists["search_actions"],
            "outcomes": outcomes,
            "hash": f"{self.call('hash', self.position) & (1 << 64) - 1:x}",
            "result": self.call("returns", self.position) if node == -4 else None,
            "next": after,
        }


# -- texts ---------------------------------------------------------------------------------------------------------------

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

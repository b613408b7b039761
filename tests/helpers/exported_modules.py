"""Exports for tests, each made once, and hosts that run them: Node, and wasmtime where a test wants a second one."""

import functools
import json
import math
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any, Self

import pytest

from saddlepoint.export.process import Exported, exported, folder_of

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

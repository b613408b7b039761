"""What is exported and what is not, in sentences; and what a host does in JavaScript, against the library's own Python.

No linker is needed.
"""

import itertools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helpers.exported_modules import in_node, needs_node
from saddlepoint.export import webassembly
from saddlepoint.export.lowering import ExportError, retargeted
from saddlepoint.export.player import _runs, planned
from saddlepoint.export.process import Exported, bot_of, folder_of
from saddlepoint.games.catalogue.games import make_game
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.players.clock import Adaptive, Clock, Uniform
from saddlepoint.system.terminal import how_to_install

ENGINE = Path(webassembly.__file__).with_name("host") / "engine.js"


def answered(code: str) -> Any:
    """What JavaScript prints that has the exported engine before it."""
    return in_node("-e", f"{ENGINE.read_text()}\nconsole.log(JSON.stringify({code}));")[0]


@needs_node
def test_random_numbers_are_those_of_numpy() -> None:
    seeds: list[Any] = [0, 1, 7, 2**40 + 3, 2**62 + 12345, [5, 1], [2**62 + 9, 1]]
    code = ",".join(
        f"(() => {{ const r = new Random({', '.join(f'{n}n' for n in (s if isinstance(s, list) else [s]))});"
        " return [r.real(), r.real(), String(r.word() >> 1n)]; })()"
        for s in seeds
    )
    for seed, (first, second, word) in zip(seeds, answered(f"[{code}]"), strict=True):
        rng = np.random.default_rng(seed)
        assert (first, second, int(word)) == (rng.random(), rng.random(), rng.integers(2**63))


@needs_node
def test_actions_are_drawn_as_numpy_draws_them() -> None:
    weights = [0.0, 0.25, 1 / 3, 0.0, 0.1, 0.2, 0.05]
    drawn = answered(
        f"(() => {{ const r = new Random(3n), m = new Map({[list(pair) for pair in enumerate(weights)]});"
        " return Array.from({ length: 200 }, () => r.chosen(m)); })()"
    )
    rng, p = np.random.default_rng(3), np.array(weights)
    assert drawn == [int(rng.choice(range(7), p=p / p.sum())) for _ in range(200)]


@needs_node
@pytest.mark.parametrize(
    "policy",
    [Uniform(), Uniform(1.0), Adaptive(), Adaptive(shares=5.0, stretch=8.0, soft_share=0.35, largest=0.3)],
)
def test_a_move_gets_the_time_that_python_gives_it(policy: Any) -> None:
    asked = list(
        itertools.product((0.05, 0.3, 1.0, 9.7, 60.0), (0.0, 0.1, 0.5), (0.05, 10.0, 100.0), (1, 7, 200))
    )
    known = {"name": type(policy).__name__.lower(), "shares": 1.0, **vars(policy)}
    code = f"{json.dumps(asked)}.map(([bank, increment, cap, left]) => allowance({json.dumps(known)}, {{ bank, increment, cap }}, left))"
    for (bank, increment, cap, left), told in zip(asked, answered(code), strict=True):
        allowed = policy.deadline(Clock(bank, increment, cap), left)
        assert (told["soft"], told["hard"]) == pytest.approx((allowed.depth, allowed.search), rel=1e-12)


@pytest.mark.parametrize(
    ("game", "spec", "why"),
    [
        ("goofspiel", "random", "it is a RandomPlayer, which does not search"),
        ("rubiks_flip", "best", "it is a FlipDatabasePlayer, which does not search"),
        ("soccer", "best", "its search, rm, is driven by Python"),
        ("light_riders", "riders_nash", "its time policy is NashClock"),
        ("light_riders", "riders_smab", "its depth follows the clock"),
        ("connect_four", "pvs(threads=2)", "its search has threads=2"),
        ("rubiks_flip", "pvs(evaluator=ace)", "its evaluator judges a position for the player at the root"),
        ("battlesnake", "alphabeta(chance=sample)", "its search has chance=sample"),
    ],
)
def test_who_cannot_be_exported_is_refused_in_a_sentence(game: str, spec: str, why: str) -> None:
    rules = make_game(game)
    with pytest.raises(ExportError) as refused:
        planned(rules, make_player(spec, rules), spec)
    assert str(refused.value).startswith(f"{spec} cannot be exported: ")
    assert why in str(refused.value)
    instead = str(refused.value).rpartition("; --player ")[2].removesuffix(" can be")
    planned(rules, make_player(instead, rules), instead)  # the way out is one


def test_what_plays_in_a_search_s_place_is_said_to_be_left_out() -> None:
    rules = make_game("light_riders")
    assert "(FillRoom) is left out" in planned(rules, make_player("best", rules), "best").left_out
    assert planned(rules, make_player("smab", rules), "smab").left_out == ""


def test_without_the_linker_a_sentence_says_how_to_install_it(
    cli: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(webassembly, "find_spec", lambda name: None)
    _, said = cli.ended(2, "export", "light_riders", "-o", str(tmp_path / "there"))
    told = f"an export needs a linker, which is not installed: {how_to_install('export')}"
    assert told in " ".join(said.split())
    assert not (tmp_path / "there").exists()


def test_bytes_of_a_record_are_told_in_runs_and_come_back() -> None:
    image = bytes([0] * 8 + [1, 2, 3, 4, 5, 6, 7, 8] * 3 + [0] * 16 + [9])
    assert _runs(image) == [[8, "0102030405060708", 3], [48, "09", 1]]


def test_messages_of_errors_do_not_stay_in_a_module() -> None:
    text = (
        'target triple = "x86_64-unknown-linux-gnu"\ntarget datalayout = "e-m:e"\n'
        '@.const.picklebuf.1 = internal constant [26 x i8] c"here is a path/of/the/file"\n@a = common global ptr null\n'
        '@.const.pickledata.9f.21 = internal constant [26 x i8] c"here is a path/of/the/file"\n'
    )
    lines = retargeted(text, "wasm32-unknown-unknown", "e-p:32:32").splitlines()
    assert lines == [
        'target triple = "wasm32-unknown-unknown"',
        'target datalayout = "e-p:32:32"',
        "@.const.picklebuf.1 = internal constant [1 x i8] zeroinitializer",
        "@a = linkonce_odr global ptr null",
        "@.const.pickledata.9f.21 = internal constant [1 x i8] zeroinitializer",
    ]


def test_every_export_carries_the_notices() -> None:
    made = Exported(b"\0asm\x01\0\0\0", {"name": "mine", "game": "mine", "player": "smab"})
    bot, folder = bot_of(made), folder_of(made)
    assert set(folder) == {"mine.wasm", "mine.json", "saddlepoint.mjs", "NOTICES.txt"}
    for text in (bot, folder["NOTICES.txt"].decode(), folder["mine.wasm"].decode("latin-1")):
        assert "Apache License, Version 2.0, with LLVM Exceptions" in text
        assert text.count("Redistributions of source code must retain") == 2

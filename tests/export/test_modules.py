"""Exported games and searches, run in Node and in wasmtime: the rules are Python's, the searches those of native code."""

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from helpers.exported_modules import Wasmtime, ask_node, in_hexadecimal, made, needs_node
from helpers.fitted_files import random_weights_file
from helpers.programs import output_of
from helpers.recorded_games import random_game
from helpers.sizes import scaled
from saddlepoint import TERMINAL, Game, Limits, Memory, PrincipalVariation, Searcher
from saddlepoint.compiled.words import words_of_state
from saddlepoint.evaluators.network.file import load_weights
from saddlepoint.evaluators.network.inputs import random_positions
from saddlepoint.export.player import planned
from saddlepoint.export.process import bot_of, exported
from saddlepoint.games.catalogue import measured, quick_fit, solved_games
from saddlepoint.games.catalogue.games import GAMES, make_game
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.players.base import player_seed
from saddlepoint.players.clock import ENDLESS
from saddlepoint.players.searching import SearchPlayer, turned_to

pytestmark = [pytest.mark.export, needs_node]

SEARCHES = {
    "light_riders": ("best",),
    "simplexity": ("best",),
    "tron41": ("best",),
    "goofspiel": ("best", "smab"),
    "rubiks_flip": ("pvs",),
    "battlesnake": ("best",),
    "oshi_zumo": ("best",),
    "tic_tac_toe": ("pvs",),
    "tron": ("best",),
    "pursuit_evasion": ("smab",),
    "biased_rps": ("saddle",),
    "random_game": ("do_alphabeta",),
    "connect_four": ("best",),
    "othello": ("best",),
    "soccer": ("bi_alphabeta",),
}
"""A player of every game that can be exported; together all kinds of searches that can."""
EVERY = [pytest.param(game, spec, id=f"{game}-{spec}") for game, specs in SEARCHES.items() for spec in specs]
FIRST = [pytest.param(game, specs[0], id=game) for game, specs in SEARCHES.items()]


def test_a_search_that_was_measured_is_exported_as_one_that_can_be() -> None:
    game = make_game("tic_tac_toe")
    plan = planned(game, make_player("best", game), "best")
    assert plan.player.algorithm == PrincipalVariation()
    assert "pvs is exported in the place of mcts" in plan.left_out


def test_best_is_exported_with_the_weights_that_it_was_measured_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(solved_games.KEPT_BY_PARENT, str(tmp_path))
    monkeypatch.setattr(quick_fit, "_POSITIONS_BY_NODES", 50)
    game, weights = make_game("tic_tac_toe"), tmp_path / "own.weights"
    quick_fit.fit_quickly(game, weights, by_nodes=True)
    choice = measured.Choice(f'pvs(evaluator=fitted(file="{weights}"))', (), "0.02 s")
    measured.choice_file(game, None, True).write_bytes(msgspec.json.encode(choice))
    best, plain = exported("tic_tac_toe", "best"), exported("tic_tac_toe", "pvs")
    assert "in the place of" not in best.about["left_out"]
    assert len(best.module) > len(plain.module) + weights.stat().st_size // 4


def test_every_game_is_tried() -> None:
    assert list(SEARCHES) == [name for name, entry in GAMES.items() if entry.point is None]


def walked(game: Game, count: int, seed: int) -> list[tuple[Any, tuple[int, int] | None]]:
    """Positions of random games, each with the joint action that was played."""
    rng, found = random.Random(seed), list[tuple[Any, tuple[int, int] | None]]()
    while len(found) < count:
        states, joints = random_game(game, rng)
        found += zip(states, [*joints, None], strict=True)
    return found[:count]


def told_by_python(game: Game, state: Any, joint: tuple[int, int] | None) -> dict[str, Any]:
    node = int(game.current_player(state))
    return {
        "node": node,
        "toAct": list(game.players_to_act(state)),
        "legal": [game.legal_actions(state, p) for p in (0, 1)],
        "worth": [game.search_actions(state, p) for p in (0, 1)],
        "outcomes": [list(pair) for pair in game.chance_outcomes(state)],
        "hash": f"{int(game.hash(state)):x}",
        "result": float(game.returns(state)) if node == TERMINAL else None,
        "next": None if joint is None else in_hexadecimal(game.next_state(state, *joint)),
    }


@pytest.mark.parametrize(("name", "spec"), FIRST)
@pytest.mark.usefixtures("linker")
def test_the_rules_are_those_of_python(name: str, spec: str, tmp_path: Path) -> None:
    game, one = make_game(name), made(name, spec)
    positions = walked(game, scaled(200, 30), seed=11)
    expected = [told_by_python(game, *position) for position in positions]
    machine = Wasmtime(one)
    assert [machine.answer(words_of_state(state), joint) for state, joint in positions] == expected
    questions = [
        {"ask": "position", "state": in_hexadecimal(state), "joint": joint} for state, joint in positions
    ]
    first, *told = ask_node(one, tmp_path, [{"ask": "start"}, *questions])
    assert first == in_hexadecimal(game.initial_state())
    assert told == expected


@pytest.mark.parametrize(("name", "spec"), EVERY)
@pytest.mark.usefixtures("linker")
def test_searches_visit_the_nodes_of_native_code_and_find_its_values(
    name: str, spec: str, tmp_path: Path
) -> None:
    game, one = make_game(name), made(name, spec)
    algorithm: Any = make_player(spec, game).algorithm  # type: ignore[attr-defined]
    positions = [state for state, joint in walked(game, 40, seed=5) if joint and game.players_to_act(state)][
        :: 40 // scaled(20, 4)
    ]
    about = {"ask": "search", "limits": {"nodes": 20_000}, "seed": "7", "rootStep": 3}
    questions: list[dict[str, Any]] = []
    found: list[Any] = []
    for state in positions:
        for seat in (0, 1):
            searcher = Searcher(game, turned_to(algorithm, seat), memory=Memory())
            found.append(searcher.search(state, Limits(nodes=20_000), seed=7, variation=False, root_step=3))
            questions.append({**about, "state": in_hexadecimal(state), "seat": seat})
    for told, native in zip(ask_node(one, tmp_path, questions), found, strict=True):
        assert (told["nodes"], told["depth"]) == (native.statistics.nodes, native.depth)
        assert told["value"] == pytest.approx(native.value, abs=1e-6)
        assert told["plies"] == native.plies
        for mixture, wanted in zip(told["strategies"], native.strategies, strict=True):
            assert [action for action, _ in mixture] == list(wanted)
            assert [share for _, share in mixture] == pytest.approx(list(wanted.values()), abs=1e-6)
        assert told["best"] == (
            None if native.partial is None or native.partial.best is None else list(native.partial.best)
        )


@pytest.mark.usefixtures("linker")
def test_a_network_that_counts_winning_sets_says_the_same(tmp_path: Path) -> None:
    game, file = (
        make_game("tic_tac_toe"),
        random_weights_file(tmp_path / "x.weights", make_game("tic_tac_toe")),
    )
    assert len(load_weights(file).coding.set_starts)
    spec = f'pvs(evaluator=fitted(file="{file}"))'
    algorithm: Any = make_player(spec, game).algorithm  # type: ignore[attr-defined]
    states = random_positions(game, 6, 12, random.Random(1))
    found = [
        Searcher(game, algorithm, memory=Memory()).search(state, Limits(nodes=500)).value for state in states
    ]
    about = {"ask": "search", "limits": {"nodes": 500}, "seed": "7", "seat": 0}
    told = ask_node(
        made("tic_tac_toe", spec), tmp_path, [{**about, "state": in_hexadecimal(one)} for one in states]
    )
    assert [one["value"] for one in told] == pytest.approx(found, abs=1e-6)


@pytest.mark.usefixtures("linker")
def test_a_player_draws_what_its_twin_draws_by_the_same_seed(tmp_path: Path) -> None:
    game, spec = make_game("goofspiel"), "smab(nodes=2000, choice=mixture)"
    twin = make_player(spec, game)
    assert isinstance(twin, SearchPlayer)
    questions: list[dict[str, Any]] = []
    chosen: list[int | None] = []
    for round_ in range(scaled(20, 4)):
        seed = player_seed(round_, 0)
        twin.begin(game, 0, seed)
        questions.append({"ask": "begin", "seat": 0, "seed": str(seed)})
        chosen.append(None)
        for state, _ in walked(game, 26, seed=round_):
            if 0 in game.players_to_act(state):
                questions.append({"ask": "choose", "seat": 0, "state": in_hexadecimal(state)})
                chosen.append(twin.choose(state, ENDLESS).action)
    assert ask_node(made("goofspiel", spec), tmp_path, questions) == chosen


LOOPS = Path(__file__).parents[2] / "examples" / "bots"
MATCH = ("-n", "4", "--swap", "--bank", "10", "--time", "0.2", "--seed", "3", "--json")


@pytest.mark.parametrize(
    ("loop", "opponent", "least"),
    [((), "random", -1.0), (("riddles_loop.js",), "riders_smab", 0.5)],
    ids=["its own dialogue", "riddles.io's, by an example's loop"],
)
@pytest.mark.usefixtures("linker")
def test_the_file_of_a_bot_plays_a_match(
    tmp_path: Path, loop: tuple[str, ...], opponent: str, least: float
) -> None:
    bot = tmp_path / "bot.js"
    bot.write_text(bot_of(made("light_riders", "best"), *((LOOPS / name).read_text() for name in loop)))
    assert len(bot.read_text()) < 100_000
    result = json.loads(output_of("-m", "saddlepoint", "match", f"cmd:node {bot}", opponent, *MATCH))
    assert (result["fault_count"], result["late"]) == (0, {"a": 0, "b": 0})
    assert result["score"] > least


@pytest.mark.parametrize(("name", "spec"), FIRST)
@pytest.mark.usefixtures("linker")
def test_nothing_of_this_machine_is_in_an_export(name: str, spec: str) -> None:
    text = bot_of(made(name, spec)).encode() + made(name, spec).module
    for path in (Path.home(), Path(__file__).parents[2], Path(sys.prefix)):
        assert str(path).encode() not in text
    assert b"Apache License" in text and b"Redistributions of source code" in text


@pytest.mark.usefixtures("linker")
def test_a_loop_of_ones_own_speaks_a_contest_s_own_input(tmp_path: Path) -> None:
    """A judge as contests have them, against an opponent who plays at random: of tic-tac-toe `best` loses no game."""
    bot = tmp_path / "bot.js"
    bot.write_text(bot_of(made("tic_tac_toe", "best"), (LOOPS / "own_loop.js").read_text()))
    game = make_game("tic_tac_toe")
    for number in range(4):
        draw, seat = random.Random(number), number % 2
        state, last = game.initial_state(), "-1 -1"
        with subprocess.Popen(
            ["node", str(bot)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            while (mover := game.current_player(state)) != TERMINAL:
                legal = game.legal_actions(state, mover)
                if mover == seat:
                    moves = [f"{action // 3} {action % 3}" for action in legal]
                    process.stdin.write("\n".join([last, str(len(moves)), *moves]) + "\n")
                    process.stdin.flush()
                    answer = process.stdout.readline().strip()
                    assert answer in moves
                    action = legal[moves.index(answer)]
                else:
                    action = draw.choice(legal)
                    last = f"{action // 3} {action % 3}"
                state = game.next_state(state, action)
            process.stdin.close()
        assert game.returns(state) * (1 - 2 * seat) >= 0

"""Steps a second of batches of games, beside other libraries' environments of the same games, in one run on one core.

    python benchmarks/batch_speed.py [--count 4096] [--seconds 2] [--all] [--json]

A step is one joint round of one game, or one turn in a game of turns; games that end begin again, and actions are random legal ones.
"step alone" plays again, from the same seed, actions that were drawn before. Speeds are by CPU time of this process, so that other
programs on the machine change them little. Gymnasium, PettingZoo (`pettingzoo[classic]`) and OpenSpiel (`open_spiel`) have rows where
they are installed. `--all`: a batch of every game of the library.
"""

import argparse
import json
import os
import random
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from saddlepoint import ConnectFour, LightRiders, TicTacToe
from saddlepoint.games.catalogue.games import GAMES
from saddlepoint.interop import BatchEnv

_RECORDED = 200
"""Steps that are drawn before and played again."""
GYMNASIUM, PETTINGZOO, CLASSIC, OPEN_SPIEL = (
    find_spec(name) is not None for name in ("gymnasium", "pettingzoo", "pygame", "pyspiel")
)


def speed(step: Callable[[], int], seconds: float) -> float:
    """Steps a second of CPU time; `step` gives how many it played, and was called before."""
    step()
    done, started = 0, time.process_time()
    while (used := time.process_time() - started) < seconds:
        done += step()
    return done / used


def batch(game: Any, count: int, observations: str = "words") -> Callable[[], int]:
    made = BatchEnv(
        game,
        count,
        seed=1,
        observations=observations,
        starts=game.starts() if hasattr(game, "starts") else (),
    )

    def step() -> int:
        made.step(made.random_actions())
        return count

    return step


def replayed(game: Any, count: int, observations: str) -> Callable[[], int]:
    """The steps alone: the actions were drawn in the same games before."""
    made = BatchEnv(
        game,
        count,
        seed=1,
        observations=observations,
        starts=game.starts() if hasattr(game, "starts") else (),
    )
    drawn: list[Any] = []
    for _ in range(_RECORDED):
        drawn.append(made.random_actions().copy())
        made.step(drawn[-1])

    def steps() -> int:
        made.reset(seed=1)
        for actions in drawn:
            made.step(actions)
        return count * len(drawn)

    return steps


def gymnasium_vector(game: Any, count: int) -> Callable[[], int]:
    """One side, against random actions; the actions are drawn from the masks by NumPy."""
    from saddlepoint.interop.gymnasium_vector import GameVectorEnv

    made, draw = GameVectorEnv(game, count), np.random.default_rng(1)
    masks = [made.reset(seed=1)[1]["action_mask"]]

    def step() -> int:
        actions = np.argmax(masks[0] * draw.random(masks[0].shape), axis=1)
        masks[0] = made.step(actions)[4]["action_mask"]
        return count

    return step


def gymnasium_sync(game: Any, count: int = 16) -> Callable[[], int]:
    """Gymnasium's own vector of the environments for one game."""
    from gymnasium.vector import AutoresetMode, SyncVectorEnv

    from saddlepoint.interop.gymnasium import GameEnv

    made = SyncVectorEnv([lambda: GameEnv(game)] * count, autoreset_mode=AutoresetMode.SAME_STEP)
    draw, masks = np.random.default_rng(1), [made.reset(seed=1)[1]["action_mask"]]

    def step() -> int:
        masks[0] = made.step(np.argmax(masks[0] * draw.random(masks[0].shape), axis=1))[4]["action_mask"]
        return count

    return step


def aec(made: Any) -> Callable[[], int]:
    """A game of an environment in turn from its start to its end."""

    def game() -> int:
        made.reset()
        steps = 0
        for agent in made.agent_iter():
            seen, _, over, cut, _ = made.last()
            is_over = over or cut
            made.step(None if is_over else made.action_space(agent).sample(seen["action_mask"]))
            steps += not is_over
        return steps

    return game


def parallel(made: Any) -> Callable[[], int]:
    """A game of an environment in which both move at once."""

    def game() -> int:
        seen, _ = made.reset()
        steps = 0
        while made.agents:
            seen, *_ = made.step(
                {agent: made.action_space(agent).sample(seen[agent]["action_mask"]) for agent in made.agents}
            )
            steps += 1
        return steps

    return game


def open_spiel(name: str) -> Callable[[], int]:
    """A game of OpenSpiel's C++ rules, driven from Python."""
    import pyspiel

    rules, draw = pyspiel.load_game(name), random.Random(1)

    def game() -> int:
        state, steps = rules.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(draw.choice(state.legal_actions()))
            steps += 1
        return steps

    return game


def rows_of(options: argparse.Namespace) -> list[tuple[str, str, Callable[[], Callable[[], int]]]]:
    """Of each row the game, what is measured, and what makes it."""
    count = options.count
    found: list[tuple[str, str, Callable[[], Callable[[], int]]]] = []
    if options.all:
        for entry in GAMES.values():
            made = entry.game_class()
            for kind in ("words", "planes") if made.has_planes else ("words",):
                found.append(
                    (
                        entry.title,
                        f"batch of {count}, {kind}",
                        lambda made=made, kind=kind: batch(made, count, kind),
                    )
                )
        return found
    for title, game, classic, spiel in (
        ("Light Riders 16x16", LightRiders(), None, None),
        ("Connect Four", ConnectFour(), "connect_four_v3", "connect_four"),
        ("Tic-tac-toe", TicTacToe(), "tictactoe_v3", "tic_tac_toe"),
    ):
        for kind in ("words", "planes"):
            found.append(
                (
                    title,
                    f"batch of {count}, {kind}, step alone",
                    lambda game=game, kind=kind: replayed(game, count, kind),
                )
            )
            found.append(
                (
                    title,
                    f"batch of {count}, {kind}, random actions",
                    lambda game=game, kind=kind: batch(game, count, kind),
                )
            )
        if GYMNASIUM:
            found.append(
                (
                    title,
                    f"GameVectorEnv of {count} (Gymnasium)",
                    lambda game=game: gymnasium_vector(game, count),
                )
            )
            found.append((title, "SyncVectorEnv of 16 GameEnv", lambda game=game: gymnasium_sync(game)))
        if PETTINGZOO:
            found.append((title, "our PettingZoo environment", lambda game=game: our_pettingzoo(game)))
        if PETTINGZOO and CLASSIC and classic:
            found.append((title, f"PettingZoo's {classic}", lambda classic=classic: classic_game(classic)))
        if OPEN_SPIEL and spiel:
            found.append((title, f"OpenSpiel's {spiel}, from Python", lambda spiel=spiel: open_spiel(spiel)))
    return found


def our_pettingzoo(game: Any) -> Callable[[], int]:
    from saddlepoint.interop.pettingzoo import GameAECEnv, GameParallelEnv

    return aec(GameAECEnv(game)) if game.turn_based else parallel(GameParallelEnv(game))


def classic_game(name: str) -> Callable[[], int]:
    from importlib import import_module

    return aec(import_module(f"pettingzoo.classic.{name}").env())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=4096, help="games of a batch")
    parser.add_argument("--seconds", type=float, default=2.0, help="of CPU time a row")
    parser.add_argument("--all", action="store_true", help="a batch of every game of the library")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    load = os.getloadavg()[0]
    rows = [(title, what, speed(make(), options.seconds)) for title, what, make in rows_of(options)]
    if options.json:
        print(json.dumps({"load": load, "rows": rows}))
        return
    table = Table(title=f"One core, load {load:.1f} at the start, {os.getloadavg()[0]:.1f} at the end")
    for column in ("game", "", "steps/s of CPU"):
        table.add_column(column, justify="right" if column.startswith("steps") else "left", no_wrap=True)
    before = ""
    for title, what, found in rows:
        table.add_row("" if title == before else title, what, f"{found:,.0f}", end_section=False)
        before = title
    Console(width=100).print(table)
    needed = {
        "Gymnasium": GYMNASIUM,
        "PettingZoo": PETTINGZOO,
        "pygame, for PettingZoo's classic games,": CLASSIC,
        "OpenSpiel": OPEN_SPIEL,
    }
    for name, there in needed.items():
        if not there and not options.all:
            print(f"{name} is not installed, so its rows are left out.")


if __name__ == "__main__":
    main()

"""Weights that are fitted to a game in seconds, before `best` is measured: from a few games of a search against itself, in rounds."""

import random
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from ...evaluators.network.file import Weights, save_weights, words_of
from ...evaluators.network.inputs import find_inputs, random_positions
from ...evaluators.network.training import Samples, fit_layers, new_layers, quantised
from ...game.base import Game
from ...game.own_games import described
from ...game.spec import Spec, parse_spec
from ...play.valued_games import Looker, ValuedGames
from ...system.cluster import usable_cores
from .searches import make_algorithm

SEARCHES: dict[bool, tuple[Spec, ...]] = {
    True: (Spec("pvs"), Spec("mcts", {"implicit": 0.4, "prior": 16, "cut": 4})),
    False: (Spec("saddle"), Spec("rm"), Spec("alphabeta")),
}
"""The searches that use an evaluator, in games in turn and in others; the first one plays the games that weights are fitted to."""
_FIRST_TEACHER = {True: "mcts(mast=0.4,prior=16,megabytes=8)", False: "rm(megabytes=8)"}
"""The search that plays the first round's games, by play-outs. Those of later rounds are played by the search that uses the weights."""
_LOOKED_AT = 1_000
"""Positions that it visits for a move."""
_ROUNDS, _FIRST_SECONDS, _SECONDS = 6, 8.0, 4.0
"""Each round ends after so many seconds of a core, compilation not counted."""
MOST_AT_ONCE = 4
"""Games that are played at the same time: each has memory of its own."""
_POSITIONS_BY_NODES = 2_000
"""In a round: what ends it where moves are limited by nodes."""
_GAMES = 100
"""Random games from which the inputs are found."""
_OPENING, _RANDOM_SHARE, _TRACE = 6, 0.1, 0.3
_UNITS, _SECOND_UNITS, _EPOCHS, _RATE = 32, 16, 20, 0.003


def fit_quickly(game: Game, file: Path, by_nodes: bool) -> None:
    """Write weights of `fitted` for the game: from games that take half a minute of a core, or, `by_nodes`, the same games each time.

    Only the last round's games count in its fit, which begins with the weights before: what older weights said is wrong.
    Raises ValueError where the game's positions cannot be a network's inputs.
    """
    if len(set(random_positions(game, _GAMES, _GAMES, random.Random(0)))) < 2:
        raise ValueError(f"{game!r} has too few positions to be told apart")
    draw = random.Random(0)
    states, targets = _games_of(game, _FIRST_TEACHER[game.turn_based], by_nodes, _FIRST_SECONDS, draw)
    inputs = find_inputs(game, 0, _GAMES, states)
    layers = new_layers(inputs.coding, _UNITS, _SECOND_UNITS, 0)
    with tempfile.TemporaryDirectory(dir=file.parent) as folder:
        for number in range(1, _ROUNDS + 1):
            fitted = file if number == _ROUNDS else Path(folder) / f"{number}.weights"
            samples = Samples(words_of(game, states), targets)
            layers, _ = fit_layers(inputs, samples, layers, _EPOCHS, _RATE, number, game.turn_based)
            network, about = quantised(layers, inputs.coding), {"positions": len(states)}
            save_weights(fitted, Weights(inputs.coding, network, inputs.exchanges, described(game), about))
            if number < _ROUNDS:
                teacher = searches_with(game, fitted_spec(fitted))[0]
                states, targets = _games_of(game, teacher, by_nodes, _SECONDS, draw)


def fitted_spec(file: Path) -> Spec:
    """The spec of the evaluator with these weights."""
    return Spec("fitted", {"file": str(file)})


def searches_with(game: Game, evaluator: Spec) -> tuple[str, ...]:
    """The specs of the searches that use an evaluator."""
    return tuple(
        str(Spec(one.name, {**one.options, "evaluator": evaluator})) for one in SEARCHES[game.turn_based]
    )


def _games_of(
    game: Game, teacher: str, by_nodes: bool, seconds: float, draw: random.Random
) -> tuple[list[Any], Any]:
    """Positions of a search's games against itself, with what they are worth. Limited by time, each core plays some of them."""
    games, over = ValuedGames(game, _OPENING, _RANDOM_SHARE, _TRACE), threading.Event()
    cores = 1 if by_nodes else min(MOST_AT_ONCE, usable_cores())

    def play(learner: Looker, own_draw: random.Random) -> tuple[list[Any], list[Any]]:
        states, targets, ends = list[Any](), list[Any](), time.thread_time() + seconds / cores
        while len(states) < _POSITIONS_BY_NODES if by_nodes else not targets or time.thread_time() < ends:
            positions, worth = games.played(game.initial_state(), learner, own_draw)
            states += positions
            targets.append(worth)
            if over.is_set():
                break
        return states, targets

    learners = [Looker(game, make_algorithm(parse_spec(teacher)), _LOOKED_AT) for _ in range(cores)]
    learners[0].look(game.initial_state(), 0)  # which compiles it
    draws = [draw] if by_nodes else [random.Random(draw.getrandbits(64)) for _ in learners]
    with ThreadPoolExecutor(cores) as pool:
        try:
            parts = list(pool.map(play, learners, draws))
        finally:
            over.set()  # after Ctrl-C the threads end with their games
    return [one for states, _ in parts for one in states], np.concatenate(
        [one for _, targets in parts for one in targets]
    )

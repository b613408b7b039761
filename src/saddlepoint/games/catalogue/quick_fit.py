"""Weights that are fitted to a game in seconds, before `best` is measured: from a few games of Monte-Carlo search against itself."""

import random
import time
from pathlib import Path
from typing import Any

import numpy as np

from ...evaluators.network.file import Weights, save_weights, words_of
from ...evaluators.network.inputs import find_inputs, random_positions
from ...evaluators.network.training import Samples, fit_layers, new_layers, quantised
from ...game.base import Game
from ...game.own_games import described
from ...game.spec import parse_spec
from ...play.valued_games import Looker, ValuedGames
from .searches import make_algorithm

_TEACHER = {True: "mcts(mast=0.4,prior=16,megabytes=8)", False: "rm(megabytes=8)"}
"""The search that plays the games: of those in turn, and of others."""
_LOOKED_AT = 1_000
"""Positions that it visits for a move, in the tree and in play-outs."""
_SECONDS, _POSITIONS = 12.0, 6_000
"""Where the games end: seconds of a core, compilation not counted, or positions, whichever is reached first."""
_POSITIONS_BY_NODES = 3_000
"""The only limit where moves are limited by nodes."""
_GAMES = 100
"""Random games from which the inputs are found."""
_OPENING, _RANDOM_SHARE, _TRACE = 6, 0.1, 0.3
_UNITS, _SECOND_UNITS, _EPOCHS, _RATE = 32, 16, 20, 0.003


def fit_quickly(game: Game, file: Path, by_nodes: bool) -> None:
    """Write weights of `fitted` for the game: from games that take some seconds of a core, or, `by_nodes`, the same ones on any machine.

    Raises ValueError where the game's positions cannot be a network's inputs.
    """
    if len(set(random_positions(game, _GAMES, _GAMES, random.Random(0)))) < 2:
        raise ValueError(f"{game!r} has too few positions to be told apart")
    inputs = find_inputs(game, 0, _GAMES)
    games = ValuedGames(game, _OPENING, _RANDOM_SHARE, _TRACE)
    learner = Looker(game, make_algorithm(parse_spec(_TEACHER[game.turn_based])), _LOOKED_AT)
    learner.look(game.initial_state(), 0)  # which compiles it
    words, targets = list[Any](), list[Any]()
    count, draw = 0, random.Random(0)
    ends = time.thread_time() + _SECONDS
    while count < _POSITIONS_BY_NODES if by_nodes else count < _POSITIONS and time.thread_time() < ends:
        states, worth = games.played(game.initial_state(), learner, draw)
        words.append(words_of(game, states))
        targets.append(worth)
        count += len(states)
    layers, _ = fit_layers(
        inputs,
        Samples(np.concatenate(words), np.concatenate(targets)),
        new_layers(inputs.coding, _UNITS, _SECOND_UNITS, 0),
        _EPOCHS,
        _RATE,
        0,
        game.turn_based,
    )
    network = quantised(layers, inputs.coding)
    save_weights(
        file, Weights(inputs.coding, network, inputs.exchanges, described(game), {"positions": count})
    )

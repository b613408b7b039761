"""Games that are over: of random players as lines of replay files, and of given moves."""

import random
from typing import Any

from saddlepoint import Game
from saddlepoint.game.base import CHANCE, NO_ACTION, TERMINAL
from saddlepoint.play.game import play_game
from saddlepoint.play.replay import FinishedGame, game_json
from saddlepoint.players.base import RandomPlayer
from saddlepoint.players.clock import Clock


def finished(
    game: Game, joints: list[tuple[int, int]], names: tuple[str, str] = ("You", "best")
) -> FinishedGame:
    """The game of these moves from its start, with its result if it is over."""
    states: list[Any] = [game.initial_state()]
    for joint in joints:
        states.append(game.advance(states[-1], *joint))
    over = game.current_player(states[-1]) == TERMINAL
    return FinishedGame(game, names, states, joints, float(game.returns(states[-1])) if over else None)


def in_turn(*cells: int) -> list[tuple[int, int]]:
    """The moves of a game in turn."""
    return [(cell, -1) if place % 2 == 0 else (-1, cell) for place, cell in enumerate(cells)]


def random_game(
    game: Game, rng: random.Random, most: int = 400, start: Any = None
) -> tuple[list[Any], list[tuple[int, int]]]:
    """The positions of a random game, and the joint actions between them."""
    states, joints = [game.initial_state() if start is None else start], list[tuple[int, int]]()
    while (node := game.current_player(states[-1])) != TERMINAL and len(joints) < most:
        state = states[-1]
        if node == CHANCE:
            joint = rng.choice(game.chance_outcomes(state))[0], NO_ACTION
        else:
            acting = game.players_to_act(state)
            a, b = (rng.choice(game.legal_actions(state, p)) if p in acting else NO_ACTION for p in (0, 1))
            joint = a, b
        joints.append(joint)
        states.append(game.advance(state, *joint))
    return states, joints


def line_of(game: Game, seed: int = 3) -> dict[str, Any]:
    """The line of a game of random players."""
    start = game.initial_state()
    record = play_game(game, (RandomPlayer(), RandomPlayer()), start, (Clock(10.0), Clock(10.0)), seed=seed)
    return game_json(game, record, ("a", "b"), game.to_text(start), seed)

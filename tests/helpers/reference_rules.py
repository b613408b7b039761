"""Second programs of the rules of all games of the catalogue, in one form, and the library's own rules in the same form.

A position answers `mover()`: 0, 1, SIMULTANEOUS, CHANCE or TERMINAL; `moves(player)`: the numbers of the legal actions, or with CHANCE of
the outcomes; `after(action)`, where both move `after(action0, action1)`; `result()` at the end: what player 0 gets. Two are equal where
they are the same position. The second programs share nothing with the library but these numbers and the texts of positions.
"""

import math
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import combinations, product
from typing import Any

import numpy as np

from helpers import reference_light_riders, reference_simplexity, reference_tron41
from helpers.reference_battlesnake import Snakes
from helpers.reference_lines import InARow, Othello
from helpers.reference_rounds import Goofspiel, Hands, OshiZumo, Pursuit, RandomGame, Soccer, Tron
from helpers.reference_rubiks_flip import Flip
from saddlepoint.compiled.states import as_machine_words
from saddlepoint.game.nodes import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL

_DIRECTIONS = tuple(reference_light_riders.NAMES[step] for step in ((0, -1), (1, 0), (0, 1), (-1, 0)))


@dataclass(frozen=True)
class LightRiders:
    riders: reference_light_riders.Riders

    @classmethod
    def read(cls, game, text):
        header, *rows = text.split("\n")
        told = re.search(r"round (\d+) facing (\w+) (\w+) alive (\w+)", header)
        cells = {
            mark: [(x, y) for y, row in enumerate(rows) for x, m in enumerate(row) if m == mark]
            for mark in "x01"
        }
        step = {name: direction for direction, name in reference_light_riders.NAMES.items()}
        return cls(
            reference_light_riders.Riders(
                game.width,
                game.height,
                frozenset(cells["x"]),
                (cells["0"][0], cells["1"][0]),
                (step[told[2]], step[told[3]]),
                ("0" in told[4], "1" in told[4]),
                int(told[1]),
                game.max_rounds,
            )
        )

    def mover(self):
        return TERMINAL if self.riders.over else SIMULTANEOUS

    def moves(self, player):
        return [0, 1, 2, 3]

    def after(self, *actions):
        step = {name: direction for direction, name in reference_light_riders.NAMES.items()}
        return LightRiders(self.riders.after([step[_DIRECTIONS[action]] for action in actions]))

    def result(self):
        return self.riders.result


@dataclass(frozen=True)
class Simplexity:
    size: tuple
    left: tuple
    columns: tuple

    @classmethod
    def read(cls, game, text):
        kinds = {"w": ("w", "r"), "W": ("w", "s"), "r": ("r", "r"), "R": ("r", "s")}
        board, rows = reference_simplexity.board_of(game), text.split("/")
        columns = tuple(tuple(kinds[row[col]] for row in rows if row[col] != ".") for col in range(game.cols))
        for piece in sum(columns, ()):
            board.supplies[piece] -= 1
        return cls((game.rows, game.cols, game.win), tuple(sorted(board.supplies.items())), columns)

    @property
    def board(self):
        moves = sum(map(len, self.columns))
        return reference_simplexity.Board(*self.size, dict(self.left), self.columns, moves)

    def mover(self):
        return TERMINAL if self.board.outcome() is not None else "wr".index(self.board.mover)

    def moves(self, player):
        return [2 * col + "rs".index(shape) for col, shape in self.board.legal()]

    def after(self, action):
        later = self.board.play(action // 2, "rs"[action % 2])
        return Simplexity(self.size, tuple(sorted(later.supplies.items())), tuple(map(tuple, later.columns)))

    def result(self):
        return {"White": 1, "Red": -1, "Draw": 0}[self.board.outcome()]


@dataclass(frozen=True)
class Tron41:
    position: reference_tron41.Position

    @classmethod
    def read(cls, game, text):
        header, *rows = text.split("\n")
        turn, *numbers = map(int, re.findall(r"\d", header.partition("trap")[0].removeprefix("tron41")))
        position = reference_tron41.Position(tuple(rows), turn - 1, tuple(numbers[:2]), tuple(numbers[2:]))
        if not header.endswith("none"):
            row, column = position.place(int(header[-1]) - 1)
            ring = [
                (row + r, column + c) for r, c in product(range(-2, 3), repeat=2) if 2 in (abs(r), abs(c))
            ]
            inside = [(r, c) for r, c in ring if 0 <= r < len(rows) and 0 <= c < len(rows[0])]
            position = replace(position, trap=tuple(cell for cell in inside if rows[cell[0]][cell[1]] == " "))
        return cls(position)

    def mover(self):
        return TERMINAL if self.position.over else CHANCE if self.position.trap else self.position.turn

    def moves(self, player):
        return list(range(math.comb(len(self.position.trap), 3) if player == CHANCE else 4))

    def after(self, action):
        if not self.position.trap:
            return Tron41(reference_tron41.after(self.position, "URDL"[action]))
        # In the order of the highest cells.
        cells = sorted(combinations(self.position.trap, 3), key=lambda three: three[::-1])[action]
        return Tron41(reference_tron41.sprung(self.position, cells))

    def result(self):
        return -1 if self.position.place(0) is None else 1


READERS: dict[str, Callable[[Any, str], Any]] = {
    "light_riders": LightRiders.read,
    "simplexity": Simplexity.read,
    "tron41": Tron41.read,
    "goofspiel": Goofspiel.read,
    "rubiks_flip": Flip.read,
    "battlesnake": Snakes.read,
    "oshi_zumo": OshiZumo.read,
    "tic_tac_toe": InARow.of_tic_tac_toe,
    "tron": Tron.read,
    "pursuit_evasion": Pursuit.read,
    "biased_rps": Hands.read,
    "random_game": RandomGame.read,
    "connect_four": InARow.of_connect_four,
    "othello": Othello.read,
    "soccer": Soccer.read,
}
"""By the game's name: what makes a position of the second program from the game's parameters and the text of a position."""


@dataclass(frozen=True)
class OfLibrary:
    """The same questions to the library's rules, as plain Python."""

    rules: Any = field(compare=False)
    state: Any

    @classmethod
    def read(cls, game, text):
        return cls(game.plain, as_machine_words(game.plain.from_text(text)))

    def mover(self):
        return int(self.rules.current_player(self.state))

    def moves(self, player):
        if player == CHANCE:
            out = np.zeros(self.rules.max_outcomes, np.int64)
            count = self.rules.chance_outcomes(self.state, out, np.zeros(len(out)))
        else:
            out = np.zeros(self.rules.max_actions, np.int64)
            count = self.rules.legal_actions(self.state, player, out)
        return sorted(out[:count].tolist())

    def after(self, *actions):
        # What chance does comes as the first of two actions, where both move at once else.
        missing = () if self.rules.turn_based or len(actions) == 2 else (NO_ACTION,)
        with np.errstate(over="ignore"):
            return OfLibrary(
                self.rules, as_machine_words(self.rules.next_state(self.state, *actions, *missing))
            )

    def result(self):
        return self.rules.returns(self.state)

    def text(self):
        return self.rules.to_text(self.state)


def sequences(position, plies):
    """How many sequences of exactly 1, 2, ... plies there are (perft): those that lead to one position go on together.

    A ply is one player's action, an action of each where both move, or an outcome of chance. A game that ends before is not counted.
    """
    layer, found = Counter({position: 1}), []
    for ply in range(1, plies + 1):
        later, total = Counter(), 0
        for one, ways in layer.items():
            mover = one.mover()
            movers = (0, 1) if mover == SIMULTANEOUS else (mover,)
            joint = [] if mover == TERMINAL else list(product(*map(one.moves, movers)))
            total += ways * len(joint)
            for actions in joint if ply < plies else ():
                later[one.after(*actions)] += ways
        layer = later
        found.append(total)
    return found

"""Positions of Tron-41 met in random games, with what slow references need of them."""

import random

from helpers.reference_boards import around, steps
from saddlepoint import CHANCE, TERMINAL, Tron41

MAPS = ("joust", "hunger_games", "divider", "small_room")


def padded(*rows):
    """The rows with walls added to the right and below: in the size of some of the maps, so that rules are compiled once."""
    return [*(row.ljust(13, "#") for row in rows), *["#" * 13] * (13 - len(rows))]


def started(*rows, **status):
    """A game on the map of these rows, and its start with what the board does not show."""
    game = Tron41("\n".join(rows))
    return game, game.initial_state()._replace(**status)


def board(*rows):
    """The same on a map of the usual size."""
    return started(*padded(*rows))


def random_positions(name, number, seed, finished=False):
    """(game, positions): met in random games in which nobody crashes as long as there is another way."""
    game, draw = Tron41(name, start="random"), random.Random(seed)
    found = []
    while len(found) < number:
        state = game.initial_state(draw.randrange(1000), first=draw.randrange(2))
        while (node := game.current_player(state)) != TERMINAL:
            if node == CHANCE:
                state = game.next_state(state, draw.randrange(game.trap_choices(state)))
                continue
            if draw.random() < 0.2:
                found.append(state)
            state = game.next_state(state, draw.choice(game.search_actions(state, node)))
        if finished:
            found.append(state)
    return game, found[:number]


class Cells:
    """A position as its cells."""

    around = staticmethod(around)

    def __init__(self, game, state):
        self.rows = game.field(state)
        self.heads = [game.position(state, 0), game.position(state, 1)]
        self.armor = [state.armor0, state.armor1]

    def mark(self, cell):
        return self.rows[cell[0]][cell[1]]

    def is_free(self, cell):
        return self.mark(cell) in " *^!@"

    @property
    def free(self):
        return {(r, c) for r, row in enumerate(self.rows) for c in range(len(row)) if self.is_free((r, c))}

    def distances(self, player):
        """Steps from a player's head to every free cell it reaches."""
        return {cell: count for cell, count in steps([self.heads[player]], self.is_free).items() if count}

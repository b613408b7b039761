"""Rubik's Flip square by square, as its rules are written.

Answers the questions of `helpers.reference_rules`. A square is (column, row); a tile is the letter that it shows.
"""

from dataclasses import dataclass

from helpers.reference_rounds import STEPS, beside
from saddlepoint.game.nodes import TERMINAL

FACES = ("RB", "WY")
SQUARES = [(x, y) for y in range(4) for x in range(4)]
LINES = [
    [(x + k * dx, y + k * dy) for k in range(3)]
    for x, y in SQUARES
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    if 0 <= x + 2 * dx < 4 and 0 <= y + 2 * dy < 4
]


@dataclass(frozen=True)
class Flip:
    """An action is 32 times the tumble plus twice the square plus the face; a tumble is 1 + 4 times the square plus the direction, or 0."""

    double_lock: str
    tiles: frozenset
    """(square, letter)"""

    @classmethod
    def read(cls, game, text):
        rows = text.split("/")
        return cls(game.double_lock, frozenset(((x, y), rows[y][x]) for x, y in SQUARES if rows[y][x] != "."))

    def holders(self, groups):
        """The players whose locked tiles show one face on all squares of one of these groups."""
        tiles = dict(self.tiles)
        near = {square: [beside(square, d) for d in range(4)] for square in tiles}
        locked = {square for square in tiles if all(s in tiles or s not in SQUARES for s in near[square])}
        shown = [{tiles[s] for s in group} for group in groups if locked.issuperset(group)]
        return {
            player for faces in shown if len(faces) == 1 for player in (0, 1) if faces <= set(FACES[player])
        }

    def winners(self):
        """The players with three locked tiles in a row that show one face."""
        return self.holders(LINES)

    def mover(self):
        return TERMINAL if len(self.tiles) == 16 or self.winners() else len(self.tiles) % 2

    def moves(self, player):
        tiles = dict(self.tiles)
        theirs = [SQUARES.index(s) for s, letter in tiles.items() if letter in FACES[1 - player]]
        free = set(SQUARES) - set(tiles)
        tumbles = [1 + 4 * s + d for s in theirs for d in range(len(STEPS)) if beside(SQUARES[s], d) in free]
        found = []
        for tumble in tumbles or [0]:
            from_, to = ends_of(tumble)
            places = (free | {from_}) - {None, to}
            found += [32 * tumble + 2 * SQUARES.index(s) + face for s in places for face in (0, 1)]
        return sorted(found)

    def after(self, action):
        player, tiles = len(self.tiles) % 2, dict(self.tiles)
        from_, to = ends_of(action // 32)
        if from_ is not None:
            tiles[to] = FACES[1 - player].replace(tiles.pop(from_), "")
        tiles[SQUARES[action % 32 // 2]] = FACES[player][action % 2]
        return Flip(self.double_lock, frozenset(tiles.items()))

    def result(self):
        winners = self.winners()
        if len(winners) == 2:
            moved = 1 - len(self.tiles) % 2
            favoured = {"draw": None, "mover": moved, "opponent": 1 - moved}[self.double_lock]
            winners = {favoured} - {None}
        return (0 in winners) - (1 in winners)


def ends_of(tumble):
    """From where to where a tumble goes."""
    if tumble == 0:
        return None, None
    square, direction = divmod(tumble - 1, 4)
    return SQUARES[square], beside(SQUARES[square], direction)

"""Simplexity by lists of cells, word for word from its rules: slow and obvious."""

from helpers.reference_lines import lines_from


class Board:
    """Columns of (colour, shape) pieces, such as ("w", "r") for a white round one."""

    def __init__(self, rows, cols, win, supplies, columns=None, moves=0):
        self.rows, self.cols, self.win = rows, cols, win
        self.supplies = dict(supplies)  # (colour, shape) -> pieces left
        self.columns = [list(column) for column in columns] if columns else [[] for _ in range(cols)]
        self.moves = moves

    @property
    def mover(self):
        return "wr"[self.moves % 2]

    def at(self, row, col):
        inside = 0 <= col < self.cols and 0 <= row < len(self.columns[col])
        return self.columns[col][row] if inside else None

    def legal(self):
        """(column, shape) pairs."""
        return [
            (col, shape)
            for col in range(self.cols)
            for shape in "rs"
            if len(self.columns[col]) < self.rows and self.supplies[self.mover, shape] > 0
        ]

    def play(self, col, shape):
        after = Board(self.rows, self.cols, self.win, self.supplies, self.columns, self.moves + 1)
        after.supplies[self.mover, shape] -= 1
        after.columns[col].append((self.mover, shape))
        return after

    def holds_line(self, is_member):
        members = {
            (col, row)
            for col, column in enumerate(self.columns)
            for row, piece in enumerate(column)
            if is_member(piece)
        }
        return any(lines_from(members, self.win))

    def outcome(self):
        """None, "White", "Red" or "Draw"."""
        for winner, is_member in (
            ("White", lambda piece: piece[1] == "r"),
            ("Red", lambda piece: piece[1] == "s"),
            ("White", lambda piece: piece[0] == "w"),
            ("Red", lambda piece: piece[0] == "r"),
        ):
            if self.holds_line(is_member):
                return winner
        full = all(len(column) == self.rows for column in self.columns)
        return "Draw" if full or not any(self.supplies.values()) else None

    def text(self):
        marks = {("w", "r"): "w", ("w", "s"): "W", ("r", "r"): "r", ("r", "s"): "R", None: "."}
        return "/".join(
            "".join(marks[self.at(row, col)] for col in range(self.cols)) for row in range(self.rows)
        )


def board_of(game):
    """The start of a Simplexity game."""
    supplies = {}
    for player, colour in enumerate("wr"):
        supplies[colour, "r"], supplies[colour, "s"] = game.rounds[player], game.squares[player]
    return Board(game.rows, game.cols, game.win, supplies)


def quiet_game(game, draw, plies):
    """A position and its board after at most so many random moves of which none ended the game, by the uncompiled rules."""
    rules, state, board = game.plain, game.plain.initial_state(), board_of(game)
    for _ in range(plies):
        moves = board.legal()
        for k in draw.permutation(len(moves)):
            col, shape = moves[k]
            action = 2 * col + "rs".index(shape)
            after = rules.successor(state, action, action)
            if rules.current_player(after) >= 0:
                state, board = after, board.play(col, shape)
                break
        else:
            break
    return state, board


def after(game, drops):
    """The board after some (column, shape) drops."""
    board = board_of(game)
    for column, shape in drops:
        board = board.play(column, shape)
    return board


def forced(board, plies):
    """(value, plies to the end) for the side to move, looking `plies` ahead.

    The quickest win, else nothing within sight (0, 0), else the slowest loss.
    """
    return _below(board, plies, {})


def _below(board, plies, known):
    outcome = board.outcome()
    if outcome is not None:
        return {"Draw": 0, "White": 1, "Red": -1}[outcome] * (1 if board.mover == "w" else -1), 0
    if plies == 0:
        return 0, 0
    key = board.text(), plies
    if key not in known:
        best = (-2, 0)
        for drop in board.legal():
            value, distance = _below(board.play(*drop), plies - 1, known)
            here = (-value, distance + 1 if value else 0)
            if _rank(here) > _rank(best):
                best = here
        known[key] = best
    return known[key]


def _rank(result):
    value, distance = result
    return value, -value * distance

"""Plain minimax over the rules of Simplexity as they are written, with distances: for small boards."""

from helpers.reference_simplexity import board_of


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

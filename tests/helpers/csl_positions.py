"""Positions of matches for these tests."""

from saddlepoint.games.simplexity.csl_players import Parameters, Position, replay


def start(parameters: Parameters) -> Position:
    """The empty board."""
    return replay(parameters, "-")


def winner(position: Position) -> int | None:
    """Who has won; None if nobody has."""
    return {1.0: 0, -1.0: 1}.get(position.parameters.plain.returns(position.state))

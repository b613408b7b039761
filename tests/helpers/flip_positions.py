"""Rubik's Flip positions: solved ones from a file, random ones, and their outcomes by trying every turn to the end."""

from pathlib import Path
from typing import Any

from saddlepoint.games.rubiks_flip import RubiksFlip
from saddlepoint.games.rubiks_flip.endgame import Outcome

_ORACLE = Path(__file__).parents[1] / "data" / "rubiks_flip_oracle.txt"


def tiles_on(state: Any) -> int:
    return (int(state.tiles0) | int(state.tiles1)).bit_count()


def oracle(least: int = 0, most: int = 16) -> list[tuple[str, str, str]]:
    """(rule, position, outcome for the side to move) of the solved positions with so many tiles."""
    rows = [line.split() for line in _ORACLE.read_text().splitlines()[1:]]
    return [(rule, text, value) for rule, text, value in rows if least <= 16 - text.count(".") <= most]


def outcome_of_end(game: RubiksFlip, state: Any) -> Outcome:
    """For the side that would be to move."""
    result = int(game.returns(state)) * (-1 if tiles_on(state) % 2 else 1)
    return Outcome(result, 0 if result else None)


def worth(outcome: Outcome) -> int:
    """Quick wins before slow ones before draws before slow losses."""
    return outcome.result * (100 - (outcome.plies or 0))


def minimax(game: RubiksFlip, state: Any) -> Outcome:
    """The outcome for the side to move; only for the last plies."""
    player = game.current_player(state)
    if player < 0:
        return outcome_of_end(game, state)
    best = None
    for action in game.legal_actions(state, player):
        result, plies = minimax(game, game.next_state(state, action))
        mine = Outcome(-result, None if plies is None else plies + 1)
        if best is None or worth(mine) > worth(best):
            best = mine
    assert best is not None
    return best


def played(game: RubiksFlip, tiles: int, random: Any) -> Any:
    """A position with that many tiles that is not over, by random play."""
    while True:
        state = game.initial_state()
        while tiles_on(state) < tiles and game.current_player(state) >= 0:
            state = game.next_state(
                state, random.choice(game.legal_actions(state, game.current_player(state)))
            )
        if game.current_player(state) >= 0:
            return state

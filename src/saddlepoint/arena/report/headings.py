"""What a report calls the games of a ledger."""

from ...game import Game
from ...titles import title_of, title_of_class
from ..ledger import LedgerError, Tournament
from ..settings import game_of
from .data import GameFigures
from .markup import clean, clipped


def rules_of(tournament: Tournament) -> Game | None:
    """The game of a tournament; None of one in a file of the user's own that was not given, or that there is not."""
    try:
        return game_of(tournament)
    except LedgerError:
        return None


def title_in(tournament: Tournament) -> str:
    """The title of its game; where the rules are not at hand, one made from the name."""
    rules = rules_of(tournament)
    return title_of_class(clean(tournament.described_game[0])) if rules is None else title_of(type(rules))


def heading_of(figures: GameFigures) -> str:
    """The title of a game with its parameters."""
    title = title_in(figures.tournaments[0])
    parameters = ", ".join(f"{clean(name)}={clean(value)}" for name, value in figures.parameters.items())
    return clipped(f"{title} ({parameters})" if parameters else title)

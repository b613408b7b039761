"""`warm`: compiling ahead of time."""

from typing import TYPE_CHECKING

import typer

from ..games.catalogue.games import default_game
from ..system.terminal import print
from .common import GAME_HELP, read_game
from .compiling import compile_players

if TYPE_CHECKING:
    from ..game.base import Game
    from ..players.needs import Need
_ALL = "all"


def warm(
    game: str = typer.Argument(default_game(), help=f"{GAME_HELP} all: every game."),
    player: list[str] = typer.Option([], "--player", help="Only this player; may be repeated."),
) -> None:
    """Compile the players' searches now, so that the next game starts at once.

    Several are compiled side by side. Ctrl-C ends it at any time: what is finished stays compiled.

    Example: saddlepoint warm light_riders --player best
    """
    from ..compiled.directory import why_not_kept
    from ..game.spec import name_of

    needs = _needs(game, player)
    compile_players(needs)
    games = list(dict.fromkeys(name_of(need.game) for need in needs))
    why = why_not_kept()
    kept = f"; what was not kept before is not kept now: {why}" if why else ""
    print(
        f"{len(needs)} players of {games[0] if len(games) == 1 else f'{len(games)} games'} are compiled{kept}"
    )


def _needs(game: str, players: list[str]) -> "list[Need]":
    """Whom to compile for what; what cannot be made is refused before anything is compiled."""
    from ..games.catalogue.games import usable_games
    from ..games.catalogue.make import make_player
    from ..players.needs import Need

    needs: list[Need] = []
    refused: dict[str, ValueError] = {}
    for name in [entry.name for entry in usable_games()] if game == _ALL else [game]:
        rules = read_game(name)
        for spec in players or _offered(rules):
            try:
                make_player(spec, rules).close()
            except ValueError as error:
                if game != _ALL:
                    raise
                refused.setdefault(spec, error)
            else:
                needs.append(Need(rules, spec))
    for spec in refused.keys() - {need.player for need in needs}:  # no game has it
        raise refused[spec]
    return needs


def _offered(rules: "Game") -> list[str]:
    """The named players of a game, and those of the page's levels."""
    from ..games.catalogue.make import levels_of
    from ..games.catalogue.players import players_of

    named = [entry.name for entry in players_of(rules.name) if entry.is_complete]
    return list(dict.fromkeys([*named, *(level.spec for level in levels_of(rules))]))

"""What the server knows and does, apart from HTTP."""

import random
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..game import CHANCE, Game, GameError
from . import limits
from .answers import Players
from .bodies import Fields
from .catalogue import catalogue_json
from .errors import Refused, first_line
from .games import Games, KnownGame
from .levels import levels_of
from .player_specs import check_player
from .positions import Place, Positions, outcome_name, position_json, position_of, positions_json
from .preparation import RULES, Compiling, Preparation
from .references import reference_of
from .threads import Threads


@dataclass(frozen=True)
class Given:
    """What the command line gave."""

    games: Mapping[str, Game]
    """Own games by the texts that name them."""
    players: tuple[str, ...] = ()
    replays: Sequence[str] = ()
    ledgers: Sequence[str] = ()


class StillCompiling(Exception):
    """The request can be answered once something is compiled."""

    def __init__(self, compiling: Compiling) -> None:
        super().__init__(compiling.what)
        self.compiling = compiling


class Service:
    """Everything behind the routes. Its methods take long: they are called in `calls` or `searches`."""

    def __init__(self, given: Given) -> None:
        self.given = given
        self.games = Games(given.games)
        self.positions = Positions(self.games)
        self.preparation = Preparation()
        self.players = Players()
        self.calls = Threads("saddlepoint call", limits.CALLS, limits.CALLS_WAITING)
        self.searches = Threads("saddlepoint search", limits.SEARCHES, limits.WAITING)

    def close(self) -> None:
        """End searches and compilations."""
        self.players.close()
        self.preparation.close()

    def catalogue(self) -> dict[str, Any]:
        """What there is."""
        return catalogue_json(self.games, self.given.players, [], [])

    def rules(self, text: str) -> KnownGame:
        """A game whose rules are compiled; raises StillCompiling."""
        known = self.games.find(text)
        self.need(known, RULES)
        return known

    def need(self, known: KnownGame, player: str) -> None:
        """Raise StillCompiling until this player of a game is compiled."""
        missing = self.preparation.missing(known.spec, known.game, player)
        if missing is not None:
            raise StillCompiling(missing)

    def new(self, data: Fields) -> dict[str, Any]:
        """A game's start."""
        known = self.rules(data.text("game", limits.SPEC))
        seed, start = data.integer("seed", 0, 2**63 - 1, None), data.text("start", limits.TEXT, None)
        try:
            state = position_of(known.game, start) if start and not _is_cell(start) else _start(known.game, start, seed)
        except (GameError, TypeError, OverflowError) as error:
            raise Refused(first_line(error)) from None
        return self._begun(known, state)

    def from_text(self, data: Fields) -> dict[str, Any]:
        """A game from a position."""
        known = self.rules(data.text("game", limits.SPEC))
        return self._begun(known, position_of(known.game, data.text("text", limits.TEXT)))

    def _begun(self, known: KnownGame, state: Any) -> dict[str, Any]:
        return {
            "game": known.spec, "start": known.game.to_text(state), "position": position_json(known.game, Place(0, state, None)),
        }  # fmt: skip

    def positions_of(self, data: Fields) -> dict[str, Any]:
        """The positions of a game, from one on."""
        reference = reference_of(data)
        self.rules(reference.game)
        return positions_json(self.positions, reference, data.integer("from", 0, limits.MOVES, 0))

    def chance(self, data: Fields) -> dict[str, Any]:
        """An outcome, drawn."""
        reference = reference_of(data)
        self.rules(reference.game)
        known, state = self.positions.state(reference)
        if known.game.current_player(state) != CHANCE:
            raise Refused("it is not chance's turn here")
        outcomes, weights = zip(*known.game.chance_outcomes(state), strict=True)
        outcome = int(random.SystemRandom().choices(outcomes, weights)[0])
        return {"outcome": outcome, "name": outcome_name(outcome)}

    def answer(self, data: Fields) -> dict[str, Any]:
        """A player's answer in a position."""
        reference = reference_of(data)
        known = self.games.find(reference.game)
        by, seconds, nodes = self._opponent(data, known.game)
        self.need(known, by)
        _, state = self.positions.state(reference)
        player = data.integer("player", 0, 1)
        return self.players.answer(known.spec, known.game, state, player, by, seconds, nodes)

    def _opponent(self, data: Fields, game: Game) -> tuple[str, float, int | None]:
        """Who shall answer, and within what."""
        seconds, nodes = data.number("seconds", 0.001, limits.SECONDS, None), data.integer("nodes", 1, limits.NODES, None)
        name = data.text("level", 100, None)
        if name is None:
            by = check_player(data.text("by", limits.SPEC), game, self.given.players)
        else:
            level = next((one for one in levels_of(game) if one.name == name), None)
            if level is None:
                raise Refused(f"no level is called {name!r}; known: {', '.join(one.name for one in levels_of(game))}")
            by = level.spec
            nodes, seconds = nodes or level.nodes, seconds or level.seconds
        return by, limits.SECONDS if seconds is None and nodes is not None else seconds or 1.0, nodes


def _is_cell(text: str) -> bool:
    x, mark, y = text.partition(",")
    return bool(mark) and all(one.strip().isascii() and one.strip().isdigit() and len(one) < 5 for one in (x, y))


def _start(game: Game, cell: str | None, seed: int | None) -> Any:
    """The start: from a cell, drawn from a seed, or the game's standard one."""
    import inspect

    takes = inspect.signature(game.initial_state).parameters
    if cell is not None:
        if "x" not in takes:
            raise Refused("start is a cell only in games that begin on one")
        x, _, y = cell.partition(",")
        return game.initial_state(int(x), int(y))  # type: ignore[call-arg]
    if seed is not None and "seed" in takes:
        return game.initial_state(seed=seed)  # type: ignore[call-arg]
    return game.initial_state()


def new_token() -> str:
    """A token for a server that other machines can reach."""
    return secrets.token_urlsafe(24)

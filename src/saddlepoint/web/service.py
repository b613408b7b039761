"""The service behind the server's HTTP interface."""

import asyncio
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import anyio

from ..compiled import KernelError
from ..game.base import CHANCE, Game, GameError
from ..game.spec import COMMAND, parse_spec, spec_of
from ..games.catalogue.games import replay_of
from ..games.catalogue.make import make_player
from ..play.position_text import start_of
from ..play.preparation import Preparation
from ..play.replay import Replay, replay_json, to_line
from ..system.patience import RULES_COMPILED
from ..system.text import error_line
from . import limits
from .answers import MOST, RULES, ReadyPlayers, missing
from .catalogue import KnownGame, KnownGames, OwnWeights, catalogue_json, check_player
from .files import (
    FitView,
    NamedFile,
    ReplayFile,
    exported,
    game_of_upload,
    lines_of,
    played_on_page,
    replay_data,
    uploaded,
    variations_in,
)
from .ledgers import LedgerView
from .limits import Refused, Served, StillCompiling, Threads, blamed, refusing
from .messages import (
    AskedAnswer,
    Branches,
    MiddleGame,
    NewGame,
    PlayedGame,
    Positions,
    PositionText,
    Reference,
)
from .positions import (
    Place,
    ReferencedPositions,
    drawn,
    grid_json,
    moves_to_middle,
    position_json,
    position_of,
    positions_json,
)

P = ParamSpec("P")
T = TypeVar("T")
FileT = TypeVar("FileT", bound=NamedFile)
_LOOK = 0.2
"""Seconds between two looks whether something is compiled."""
_SAMPLE = Path(__file__).with_name("samples") / "match.db"
"""A recorded match, which an empty arena offers."""


class Service:
    """The methods behind the routes. They take long, so they are called in `calls` or `searches`."""

    def __init__(self, given: Served) -> None:
        self.served = given
        self.games = KnownGames(given.games)
        self.weights = OwnWeights(given.weights)
        self.positions = ReferencedPositions(self.games)
        self.preparation = Preparation(lambda: make_player, most=MOST)
        self.players = ReadyPlayers()
        self._sample, *self.ledgers = (
            LedgerView(number, path, self.positions)
            for number, path in enumerate([str(_SAMPLE), *given.ledgers])
        )
        self.replays = [ReplayFile(number, path) for number, path in enumerate(given.replays, 1)]
        self.fits = [FitView(number, path) for number, path in enumerate(given.fits, 1)]
        self.calls = Threads("saddlepoint call", limits.CALLS, limits.CALLS_WAITING)
        self.searches = Threads("saddlepoint search", limits.SEARCHES, limits.WAITING)
        self.analysing = Threads("saddlepoint analysis", limits.ANALYSIS_THREADS * limits.ANALYSES, 0)
        self.analysis_places = asyncio.Semaphore(limits.ANALYSES)
        self.sockets = asyncio.Semaphore(limits.SOCKETS)

    async def search(self, act: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """The result of `act`, called in one of the few threads for searches; raises StillCompiling."""
        return await self.searches.run(self._by_the_rules, act, *arguments, **named)

    async def ready(self, act: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """The result of `act`, called in a thread, once the rules that it needs are compiled; waits for them for a while."""
        until = anyio.current_time() + RULES_COMPILED
        while True:
            try:
                return await self.calls.run(self._by_the_rules, act, *arguments, **named)
            except StillCompiling:
                if anyio.current_time() > until:
                    raise
                await anyio.sleep(_LOOK)

    def _by_the_rules(self, act: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
        """The result of `act`; raises Refused in one sentence where a rule of somebody's own game fails."""
        try:
            return act(*arguments, **named)
        except KernelError as error:
            raise Refused(error_line(error), 422) from error
        except (Refused, StillCompiling):
            raise
        except Exception as error:
            files = self.games.own_files
            if not any(
                frame.f_code.co_filename in files for frame, _ in traceback.walk_tb(error.__traceback__)
            ):
                raise
            traceback.print_exception(error)
            raise Refused(
                f"the game's own code failed: {blamed(error, files)}; what the server says where it was started tells more",
                422,
            ) from error

    def close(self) -> None:
        self.players.close()
        self.preparation.close()
        for threads in (self.calls, self.searches, self.analysing):
            threads.close()

    def catalogue(self) -> dict[str, Any]:
        """The catalogue as plain data: games, players, weights, ledgers, replays and fits."""
        files = {"ledgers": self.ledgers, "replays": self.replays, "fits": self.fits}
        named = {kind: [one.to_json() for one in found] for kind, found in files.items()}
        return catalogue_json(self.games, self.served.players, self.weights, named)

    def rules(self, text: str) -> KnownGame:
        """A game whose rules are compiled; raises StillCompiling."""
        known = self.games.find(text)
        self.need(known, RULES)
        return known

    def need(self, known: KnownGame, player: str) -> None:
        """Raise StillCompiling until this player of a game is compiled."""
        if still := missing(self.preparation, known, player):
            raise still

    def new(self, asked: NewGame) -> dict[str, Any]:
        known, cell = self.rules(asked.game), _cell(asked.start)
        with refusing(GameError, TypeError, OverflowError):
            if asked.start and cell is None:
                state = position_of(known.game, asked.start)
            else:
                state = start_of(known.game, cell, asked.seed)
        return self._begun(known, state)

    def middle(self, asked: MiddleGame) -> dict[str, Any]:
        """A position in the middle of a game that was played at random, the same one every time, and what was chosen there."""
        known = self.rules(asked.game)
        moves, following = moves_to_middle(known.game)
        return {
            "game": known.spec,
            "moves": moves,
            "position": positions_json(self.positions, Reference(known.spec, None, moves), len(moves))[
                "positions"
            ][-1],
            "next": following,
        }

    def from_text(self, asked: PositionText) -> dict[str, Any]:
        """A game from a position; with `grid` also where in the text the cells of its picture stand."""
        known = self.rules(asked.game)
        begun = self._begun(known, position_of(known.game, asked.text))
        return begun | {"grid": grid_json(known.game, asked.text)} if asked.grid else begun

    def _begun(self, known: KnownGame, state: Any) -> dict[str, Any]:
        return {
            "game": known.spec,
            "start": known.game.to_text(state),
            "position": position_json(Place(known.game, state)),
        }

    def positions_of(self, asked: Positions) -> dict[str, Any]:
        self.rules(asked.game)
        return positions_json(self.positions, asked, asked.from_, asked.players)

    def branches(self, asked: Branches) -> dict[str, Any]:
        """The names of moves that were tried beside a game; refused where one of them is not legal."""
        self.rules(asked.game)
        return {"branches": self.positions.branches(asked, asked.branches)}

    def chance(self, asked: Reference) -> dict[str, Any]:
        self.rules(asked.game)
        known, state = self.positions.state(asked)
        if known.game.current_player(state) != CHANCE:
            raise Refused("it is not chance's turn here")
        outcome = drawn(known.game, state)
        return {"outcome": outcome, "name": known.game.outcome_to_string(state, outcome)}

    def answer(self, asked: AskedAnswer) -> dict[str, Any]:
        known = self.games.find(asked.game)
        by, seconds, nodes = self._opponent(asked, known.game)
        self.need(
            known, RULES if parse_spec(by).name == COMMAND else by
        )  # a program has a process of its own
        _, state = self.positions.state(asked)
        return self.players.answer(known.game, state, asked.player, by, seconds, nodes)

    def _opponent(self, asked: AskedAnswer, game: Game) -> tuple[str, float, int | None]:
        """The answering player's spec, seconds and nodes."""
        name, seconds, nodes = asked.level, asked.seconds, asked.nodes
        if name is None:
            if asked.by is None:
                raise Refused("'by' or 'level' is missing")
            by = check_player(asked.by, game, self.served.players)
        else:
            levels = self.weights.levels(game)
            level = next((one for one in levels if one.name == name), None)
            if level is None:
                raise Refused(f"no level is called {name!r}; known: {', '.join(one.name for one in levels)}")
            if refusal := self.weights.refusal(name, game):
                raise Refused(refusal)
            by = level.spec
            nodes, seconds = nodes or level.nodes, seconds or level.seconds
        return by, limits.SECONDS if seconds is None and nodes is not None else seconds or 1.0, nodes

    def line(self, asked: PlayedGame) -> str:
        """A game that was played on the page, finished or not, as the line of a replay file."""
        return to_line(self._played(asked)[1]) + "\n"

    def export(self, asked: PlayedGame) -> str:
        """A game as a page of its own, finished or not."""
        return exported(*self._played(asked), asked.values)

    def _played(self, asked: PlayedGame) -> tuple[KnownGame, dict[str, Any]]:
        self.rules(asked.game)
        known, places = self.positions.line(asked)
        return known, played_on_page(known, places[0].state, asked)

    def replay(self, name: str, number: int) -> dict[str, Any]:
        """A game of a file of the command line, as the viewer shows it."""
        file = _named(self.replays, name, "replay")
        replay = file.read(number)
        return _shown(replay, self.games) | {"variations": file.variations(number)}

    def dropped(self, text: bytes, number: int) -> dict[str, Any]:
        """A game of a file that was dropped on the page, likewise."""
        self.need(game_of_upload(self.games, text, number), RULES)
        return _shown(uploaded(self.games, text, number), self.games) | {
            "variations": variations_in(lines_of(text), number)
        }

    def fit(self, name: str, since: str | None) -> dict[str, Any] | None:
        """The figures of a fit; None where they have not changed."""
        return _named(self.fits, name, "fit").figures(since)

    def ledger(self, name: str) -> LedgerView:
        """The ledger of that id, or the recorded match."""
        return _named([*self.ledgers, self._sample], name, "ledger")

    def is_compiled(self, game: Game) -> bool:
        """Whether a game's rules are compiled, which this call sees to."""
        try:
            return missing(self.preparation, KnownGame(str(spec_of(game)), game), RULES) is None
        except Refused:  # too much is being compiled, or it cannot be
            return False

    def ledger_game(self, name: str, number: int) -> dict[str, Any]:
        """A game of a ledger, as the viewer shows it."""
        game, line, more = self.ledger(name).game(number)
        return _shown(replay_of(line), self.games, game) | more


def _shown(replay: Replay, games: KnownGames, game: Game | None = None) -> dict[str, Any]:
    """A replay as the viewer shows it, and its line with all that was recorded: to be saved again."""
    return replay_data(replay, games, game) | {"line": to_line(replay_json(replay))}


def _named(files: Sequence[FileT], name: str, kind: str) -> FileT:
    for one in files:
        if one.id == name:
            return one
    raise Refused(f"no such {kind} was named on the command line", 404)


def _cell(text: str | None) -> tuple[int, int] | None:
    """The cell of a text like 4,7; None for another text."""
    x, mark, y = (text or "").partition(",")
    is_cell = bool(mark) and all(
        one.strip().isascii() and one.strip().isdigit() and len(one) < 5 for one in (x, y)
    )
    return (int(x), int(y)) if is_cell else None

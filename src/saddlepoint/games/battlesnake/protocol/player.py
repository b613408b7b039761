"""A snake that is a server, played as the official program plays it."""

import math
import uuid
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

from ....game import Game
from ....players.base import Answer, Player, PlayerError
from ....players.clock import ENDLESS, Clock
from ....players.fault import FaultKind
from ....programs.isolation import Isolation
from ....programs.transcript import Transcript
from .. import Battlesnake, State
from . import words
from .asking import about
from .client import Address, Client, Waited
from .policy import LastMoveAgain
from .program import SnakeProgram

_GRACE = 0.25  # seconds an answer is awaited after its time: who runs the game may forgive them


def snake_player(game: Game, isolation: Isolation | None = None, url: str = "", command: str = "") -> "SnakePlayer":
    """The player of a server's address, or of the command that starts one; raises SpecError where the address is none."""
    assert isinstance(game, Battlesnake)
    return SnakePlayer(Address(url) if url else SnakeProgram(command, isolation or Isolation()))


class SnakePlayer(Player):
    """Asks a server over HTTP. One connection a game; a program is kept from game to game, and started again where it ended."""

    is_remote: ClassVar[bool] = True
    follows: ClassVar[bool] = True

    def __init__(self, server: "Address | SnakeProgram") -> None:
        self._program = server if isinstance(server, SnakeProgram) else None
        self._client = None if isinstance(server, SnakeProgram) else Client(server)
        self.game_id = ""
        self._state: State | None = None
        self._began = False
        self._clock, self._seconds = ENDLESS, (0.0, 0.0)
        self._log: Path | None = None
        self._transcript: Transcript | None = None
        self._waited = 0.0

    # -- before and after ------------------------------------------------------------------------------------------

    def check(self) -> None:
        about(self._ready())

    def warm(self, game: Game, state: Any, seats: Iterable[int] = (0, 1)) -> None:
        """A server compiles nothing here."""

    def fault_policy(self, players: Sequence[Player]) -> LastMoveAgain:
        """The official one; all servers of the game are told the same id."""
        game_id = str(uuid.uuid4())
        servers = [number for number, player in enumerate(players) if isinstance(player, SnakePlayer)]
        for number in servers:
            players[number].game_id = game_id  # type: ignore[attr-defined]
        return LastMoveAgain(servers)

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        super().begin(game, player, seed)
        assert isinstance(game, Battlesnake)
        self._rules = game
        self.game_id = self.game_id or str(uuid.uuid4())
        self._state, self._began = None, False
        if self._transcript is not None:
            self._transcript.close()
            self._transcript = None
        if self._log is not None:
            with suppress(OSError):  # a full disk costs the log, not the game
                self._transcript = Transcript(self._log)
        self._ready()

    def follow(self, state: Any, clock: Clock, seconds: tuple[float, float]) -> None:
        self._state, self._clock, self._seconds = state, clock, seconds
        if not self._began:
            self._began = True
            self._tell("/start", self._body())

    def end(self, result: float) -> None:
        """The survivor is asked once more, as the official program does; then the game's end is told."""
        if self._state is not None:
            alive = [not self._rules.snake(self._state, player).cause for player in (0, 1)]
            if alive[self.player] and not alive[1 - self.player]:
                self._tell("/move", self._body())
            self._tell("/end", words.told_at_the_end(self._body()))
        self.game_id = ""
        if self._client is not None:
            self._client.close()

    def log_to(self, file: Path | None) -> None:
        self._log = file

    def close(self) -> None:
        if self._client is not None:
            self._client.close()
        if self._program is not None:
            self._program.close()
        if self._transcript is not None:
            self._transcript.close()
            self._transcript = None

    # -- a move ----------------------------------------------------------------------------------------------------

    def choose(self, state: Any, clock: Clock) -> Answer:
        self._state, self._clock = state, clock
        patience = self._patience
        waits = None if self._program is None else self._program.measure()
        try:
            said = self._asked("/move", self._body(), patience + _GRACE, None if waits is None else waits.waited)
        except PlayerError as error:
            raise PlayerError(f"no answer within {patience:.3f} s", FaultKind.LATE) if error.kind is FaultKind.LATE else error from None
        finally:
            self._waited = 0.0 if waits is None else waits.waited()
        try:
            action = words.move_in(said)
        except words.AnswerError as error:
            raise PlayerError(str(error), FaultKind.ILLEGAL) from None
        return Answer(action, None, said.decode(errors="replace"))

    @property
    def waited(self) -> float | None:
        return self._waited

    @property
    def _patience(self) -> float:
        """Seconds for an answer."""
        return self._clock.bank if math.isfinite(self._clock.bank) else words.USUAL_TIMEOUT

    def _body(self) -> dict[str, Any]:
        assert self._state is not None
        about = words.about_game(self._rules, self.game_id, self._patience)
        return words.asked(self._rules, self._state, self.player, about, self._seconds)

    def _tell(self, path: str, body: dict[str, Any]) -> None:
        """What needs no answer, and costs nothing where there is none."""
        with suppress(PlayerError):
            self._asked(path, body, self._patience)

    def _asked(self, path: str, body: dict[str, Any], seconds: float, waited: Waited | None = None) -> bytes:
        if self._client is None:
            raise PlayerError("the program was ended before", FaultKind.CRASH)
        data = words.encoded(body)
        transcript = self._transcript
        if transcript is not None:
            transcript.sent(f"{path} {data.decode()}")
        try:
            said = self._client.post(path, data, seconds, waited)
        except PlayerError as error:
            if transcript is not None:
                transcript.note(f"{path}: {error}")
            raise
        if transcript is not None:
            transcript.received(said.decode(errors="replace"))
        return said

    def _ready(self) -> Client:
        """What asks the server; a program is started if it does not run. Raises PlayerError."""
        if self._program is not None and not self._program.is_running:
            if self._client is not None:
                self._client.close()
            self._client = None
            self._client = self._program.start()
        assert self._client is not None
        return self._client

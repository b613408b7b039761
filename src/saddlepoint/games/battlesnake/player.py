"""A snake that is a server, or a program that is one, played as the official program plays it."""

import json
import math
import time
import uuid
from collections.abc import Sequence
from contextlib import closing, suppress
from typing import Any, ClassVar

from ..interface import (
    DIRECTIONS,
    Answer,
    Clock,
    Fault,
    FaultKind,
    FaultPolicy,
    Game,
    Isolation,
    Player,
    PlayerError,
    ProgramPlayer,
    ServerProcess,
    Turns,
)
from . import Battlesnake, State
from .client import Address, Client, Waited
from .requests import REQUEST_PARAMETERS, game_object, request

USUAL_TIMEOUT = 0.5
"""Seconds that a snake has for an answer where nothing else is said."""
NAMES = ("player 0", "player 1")
"""The names of the snakes, which do not reveal the opponent."""

_LONGEST_SHOWN = 60
_LONGEST_VERSION = 100


def move_in(answer: bytes) -> int:
    """The action that the answer to `/move` names; raises PlayerError."""
    move = decoded(answer).get("move")
    if move is None:
        raise PlayerError("no move in the answer", FaultKind.ILLEGAL)
    if not isinstance(move, str) or move not in DIRECTIONS:
        raise PlayerError(f"{str(move)[:_LONGEST_SHOWN]!r} is no move", FaultKind.ILLEGAL)
    return DIRECTIONS.index(move)


def decoded(answer: bytes) -> dict[str, Any]:
    """The JSON object of an answer; raises PlayerError."""
    try:
        data = json.loads(answer)
    except (ValueError, RecursionError):  # no UTF-8, no JSON, a number too long, too many brackets
        raise PlayerError("the answer is no JSON", FaultKind.ILLEGAL) from None
    if not isinstance(data, dict):
        raise PlayerError("the answer is no JSON object", FaultKind.ILLEGAL)
    return data  # pyright: ignore[reportUnknownVariableType]


_TRIES = 3  # somebody else may take the port before the program does
_LOOK_AGAIN = 0.05  # seconds
_ABOUT = 5.0  # seconds for a server to say what it is
_GREETING = 2.0  # seconds for an answer to `GET /` while it is being waited for


class SnakeProgram:
    """A command in which `{port}` stands for the port to listen on; the variable PORT says it too. Raises PlayerError."""

    def __init__(self, command: str, isolation: Isolation) -> None:
        self.command, self._isolation = command, isolation
        self.process: ServerProcess | None = None

    @property
    def is_running(self) -> bool:
        return self.process is not None and not self.process.has_ended

    def start(self) -> Client:
        """Start it, and wait until it answers `GET /`. Raises PlayerError where it ends, or does not within the patience."""
        for attempt in range(_TRIES):
            self.close()
            process = self.process = ServerProcess(self.command, self._isolation)
            client = Client(Address(process.address), process.connect)
            try:
                self._await_answer(process, client)
                return client
            except PlayerError as error:
                client.close()
                self.close()
                if attempt == _TRIES - 1 or error.kind is not FaultKind.CRASH:
                    raise
        raise AssertionError  # not reached

    def close(self) -> None:
        if self.process is not None:
            self.process.close()
            self.process = None

    def _await_answer(self, process: ServerProcess, client: Client) -> None:
        deadline = time.monotonic() + self._isolation.patience
        while time.monotonic() < deadline:
            with suppress(PlayerError):
                client.get("/", _GREETING)
                return
            if process.has_ended:
                raise PlayerError(f"{self.command!r} does not stay: {process.why_ended}", FaultKind.CRASH)
            time.sleep(_LOOK_AGAIN)
        raise PlayerError(
            f"{self.command!r} does not answer GET / on its port within {self._isolation.patience:g} s",
            FaultKind.LATE,
        )


_FORGIVEN = (FaultKind.LATE, FaultKind.ILLEGAL)


class LastMoveAgain(FaultPolicy):
    """Where a snake's answer is late or no valid move, its last valid move is made again, before its first one `up`.

    So it is for every player of the game. Whatever else is wrong with a server costs it this move too; a player of another
    kind that fails, loses.
    """

    def __init__(self, servers: Sequence[int]) -> None:
        """`servers` are the numbers of the players that are servers."""
        self._servers = servers
        self._last = [DIRECTIONS.index("up")] * 2
        self._silent = [0, 0]
        self._first: list[Fault | None] = [None, None]

    def judge(
        self, game: Game, state: Any, player: int, answer: Answer | None, fault: Fault | None
    ) -> Answer | None:
        if fault is None and answer is not None:
            self._last[player] = answer.action
            return answer
        if fault is None or not (player in self._servers or fault.kind in _FORGIVEN):
            return None
        if not self._silent[player]:
            self._first[player] = fault
        self._silent[player] += 1
        return Answer(self._last[player], None, answer and answer.said, fault.text)

    def remark(self, turns: Turns) -> str:
        return "; ".join(
            f"player {player}'s last move was made again {times} time{'s' if times > 1 else ''} ({turns.fault_words(first)})"
            for player, (times, first) in enumerate(zip(self._silent, self._first, strict=True))
            if first is not None
        )


def about(client: Client) -> dict[str, Any]:
    """The server's answer to `GET /`. Raises PlayerError where it is no JSON object."""
    try:
        return decoded(client.get("/", _ABOUT))
    except PlayerError as error:
        raise PlayerError(f"{client.address.url} does not answer GET / as a snake does: {error}") from None


def version_of(url: str) -> str:
    """The version in the server's answer to `GET /`, shortened, or an empty text. Raises PlayerError where it does not answer."""
    with closing(Client(Address(url))) as client:
        version = about(client).get("version")
    return "".join(filter(str.isprintable, version))[:_LONGEST_VERSION] if isinstance(version, str) else ""


_GRACE = 0.25  # seconds an answer is awaited after its time: the arena may forgive them


def snake_player(
    game: Game, isolation: Isolation | None = None, url: str = "", command: str = ""
) -> "SnakePlayer":
    """The player of a server's address, or of the command that starts one; raises SpecError where the address is none."""
    assert isinstance(game, Battlesnake)
    return SnakePlayer(Address(url) if url else SnakeProgram(command, isolation or Isolation()))


class SnakePlayer(ProgramPlayer):
    """Asks a server over HTTP. One connection a game; a program is kept from game to game, and started again where it ended."""

    is_remote: ClassVar[bool] = True
    follows: ClassVar[bool] = True

    def __init__(self, server: "Address | SnakeProgram") -> None:
        super().__init__()
        self._program = server if isinstance(server, SnakeProgram) else None
        self._client = None if isinstance(server, SnakeProgram) else Client(server)
        self.game_id = ""
        self._state: State | None = None
        self._began = False
        self._clock, self._seconds = Clock(math.inf, 0.0), (0.0, 0.0)
        self._waited = 0.0

    # -- before and after ------------------------------------------------------------------------------------------

    def check(self) -> None:
        about(self._ready())

    def try_start(self, game: Game) -> None:
        self.check()

    def fault_policy(self, players: Sequence[Player]) -> LastMoveAgain:
        """The official one; all servers of the game get the same id."""
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
        self._begin_transcript()
        self._ready()

    def follow(self, state: Any, clock: Clock, seconds: tuple[float, float]) -> None:
        self._state, self._clock, self._seconds = state, clock, seconds
        if not self._began:
            self._began = True
            self._notify("/start", self._body())

    def end(self, result: float) -> None:
        """The survivor is asked once more, as the official program does; then `/end` is sent."""
        if self._state is not None:
            alive = [not self._rules.snake(self._state, player).cause for player in (0, 1)]
            if alive[self.player] and not alive[1 - self.player]:
                self._notify("/move", self._body())
            body = self._body()
            self._notify("/end", {**body, "turn": body["turn"] + 1})
        self.game_id = ""
        if self._client is not None:
            self._client.close()

    def close(self, grace: float = 0.0) -> None:
        if self._client is not None:
            self._client.close()
        if self._program is not None:
            self._program.close()
        super().close()

    # -- a move ----------------------------------------------------------------------------------------------------

    def choose(self, state: Any, clock: Clock) -> Answer:
        self._state, self._clock = state, clock
        patience = self._patience
        process = None if self._program is None else self._program.process
        waits = None if process is None else process.measure()
        try:
            said = self._asked(
                "/move", self._body(), patience + _GRACE, None if waits is None else waits.waited
            )
        except PlayerError as error:
            raise (
                PlayerError(f"no answer within {patience:.3f} s", FaultKind.LATE)
                if error.kind is FaultKind.LATE
                else error
            ) from None
        finally:
            self._waited = 0.0 if waits is None else waits.waited()
        return Answer(move_in(said), None, said.decode(errors="replace"))

    @property
    def waited(self) -> float | None:
        return self._waited

    @property
    def _patience(self) -> float:
        return self._clock.bank if math.isfinite(self._clock.bank) else USUAL_TIMEOUT

    def _body(self) -> dict[str, Any]:
        assert self._state is not None
        game, timeout = self._rules, round(1000 * self._patience)
        about = game_object({name: getattr(game, name) for name in REQUEST_PARAMETERS}, self.game_id, timeout)
        return request(
            game,
            self._state,
            self.player,
            about,
            NAMES,
            [f"{1000 * seconds:.0f}" for seconds in self._seconds],
        )

    def _notify(self, path: str, body: dict[str, Any]) -> None:
        """Send a request that needs no answer; errors are ignored."""
        with suppress(PlayerError):
            self._asked(path, body, self._patience)

    def _asked(self, path: str, body: dict[str, Any], seconds: float, waited: Waited | None = None) -> bytes:
        if self._client is None:
            raise PlayerError("the program was ended before", FaultKind.CRASH)
        data = json.dumps(body, separators=(",", ":")).encode()
        self._transcript.write(">", f"{path} {data.decode()}")
        try:
            said = self._client.post(path, data, seconds, waited)
        except PlayerError as error:
            self._transcript.write("#", f"{path}: {error}")
            raise
        self._transcript.write("<", said.decode(errors="replace"))
        return said

    def _ready(self) -> Client:
        """The client that asks the server; a program is started if it does not run. Raises PlayerError."""
        if self._program is not None and not self._program.is_running:
            if self._client is not None:
                self._client.close()
            self._client = None
            self._client = self._program.start()
        assert self._client is not None
        return self._client

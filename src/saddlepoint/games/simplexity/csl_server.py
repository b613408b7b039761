"""The line protocol `csl 1` of ColorShapeLinks for any player of Simplexity: matches, requests, and connections."""

import contextlib
import queue
import re
import select
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, NoReturn

from ..interface import (
    LoadMaker,
    PlayerPool,
    SpecError,
    Timekeeper,
    one_line,
    parse_spec,
    words_in,
)
from .csl_players import (
    Match,
    MatchPlayer,
    MatchSetting,
    Parameters,
    ThinkRequest,
    replay,
)
from .state import UNDECIDED, State

# The engine's side of ColorShapeLinks' line protocol `csl 1`, over pipes or loopback TCP, for any player of Simplexity.
#
# Lines are read, checked and answered in plain Python; players live in threads of their own (`csl_players.py`), and a keeper
# of time answers in their place should they be late (`play/timely.py`). So there is an answer to every request within its
# budget: while a search is still being compiled, or should it overrun, a quick move.

NAME = "saddlepoint"
_HOST = "127.0.0.1"
_MOST_MATCHES = 10_000
_LONGEST_BUDGET, _USUAL_BUDGET = 3_600_000.0, 200.0  # milliseconds
_INTEGER = re.compile(r"[+-]?[0-9]{1,9}")
_DURATION = re.compile(r"[+-]?[0-9]{1,12}(\.[0-9]{0,9})?")
_GREETING = f"ok csl 1 name={NAME}"
_LATEST_GREETING = 25.0  # seconds: the framework waits for half a minute
_COLOURS = {"W": 0, "R": 1}


class Engine:
    """The shared part of all connections: the players, the time, the log."""

    def __init__(self, player: str, load: LoadMaker, log: Callable[[str], None] | None = None) -> None:
        self.player = player
        self.warn = log or _to_stderr
        self.players = PlayerPool(MatchPlayer, load, self.warn)
        self.timekeeper = Timekeeper()
        self._greeted = 0
        self._lock = threading.Lock()
        self._usual = MatchSetting(Parameters(), player)
        self.players.prepare(self._usual)

    def welcome(self) -> threading.Event:
        """One more connection was greeted; set as soon as there is a player for it, on the usual board, or it has failed."""
        with self._lock:
            self._greeted += 1
            player = self.players.prepare(self._usual, self._greeted)
        prepared = threading.Event() if player is None else player.prepared
        if player is None:  # there is none to wait for
            prepared.set()
        return prepared

    def goodbye(self) -> None:
        """A connection that was greeted has ended."""
        with self._lock:
            self._greeted -= 1


class Connection:
    """One framework's matches. `handle` takes in a line; answers go out through `send`, from any thread.

    `send` takes a text of one or more lines, each with its end, and raises OSError where nobody listens any more. `gone` says whether
    nobody does, with nothing to send.
    """

    def __init__(
        self, engine: Engine, send: Callable[[str], None], gone: Callable[[], bool] | None = None
    ) -> None:
        self._engine, self._send, self._gone = engine, send, gone
        self._matches: dict[str, Match] = {}
        self._refused: dict[str, str] = {}
        self._sending = threading.Lock()
        self._prepared: threading.Event | None = None
        """Of the player that a greeting waits for."""
        self.broken = False

    def handle(self, line: str, asked: float | None = None) -> bool:
        """Take in a line that came at that moment (time.monotonic()); False if it was `quit`."""
        asked = time.monotonic() if asked is None else asked
        words = words_in(line)
        match words:
            case []:
                pass
            case ["csl", "1", *_]:
                self._greet()
            case ["new", gid, *rest]:
                self._new(gid, _values(rest))
            case ["think", gid, rid, *rest]:
                try:
                    self._think(gid, rid, _values(rest), asked)
                except ValueError as error:
                    self.say(f"error {gid} {rid} {error}")
            case ["stop", gid, rid, *_]:
                self._stop(gid, rid)
            case ["quit", *_]:
                return False
            case _:
                self._engine.warn(f"line ignored: {line.strip()[:80]!r}")
        return True

    def say(self, text: str) -> None:
        """Send lines, whole, whoever else sends at the same time."""
        try:
            with self._sending:
                if not self.broken:
                    self._send(text + "\n")
        except (OSError, ValueError):  # ValueError: the stream is closed
            self.broken = True

    def _greet(self) -> None:
        """Say that the engine is there when it is ready, without keeping later lines waiting."""
        if self._prepared is None:
            self._prepared = self._engine.welcome()
        if self._prepared.is_set():
            self.say(_GREETING)
        else:
            threading.Thread(
                target=self._greet_when_ready, args=(self._prepared,), name="greeting", daemon=True
            ).start()

    def _greet_when_ready(self, prepared: threading.Event) -> None:
        if not prepared.wait(_LATEST_GREETING):
            self._engine.warn(
                f"{self._engine.player} is not ready after {_LATEST_GREETING:.0f} s: quick moves play until it is"
            )
        self.say(_GREETING)

    def finish(self, until: float, cut_short: bool = False) -> None:
        """The framework says nothing more: requests that are open by then get their quick move.

        With `cut_short` their searches end at once, and what they have found by now is the answer.
        """
        open_ = [match.request for match in self._matches.values() if match.request is not None]
        for request in open_ if cut_short else ():
            request.cancel()
        while time.monotonic() < until and not self.broken and not all(request.done for request in open_):
            time.sleep(0.002)
            self.broken = self.broken or (self._gone is not None and self._gone())
        for request in open_:
            request.fall_back()
        for match in self._matches.values():
            self._engine.players.release(match)
        self._matches.clear()
        if self._prepared is not None:
            self._engine.goodbye()
            self._prepared = None

    def _new(self, gid: str, given: dict[str, str]) -> None:
        self._forget(gid)
        try:
            numbers: dict[str, Any] = {
                key: _integer(key, given[key])
                for key in ("rows", "cols", "win", "round", "square")
                if key in given
            }
            setting = MatchSetting(Parameters(**numbers), self._player(given.get("opt", "")))
        except ValueError as error:
            self._refused[gid] = str(error)
            self._engine.warn(f"no match {gid[:40]!r}: {error}")
            return
        self._matches[gid] = Match(setting, _milliseconds(given.get("time")))
        self._engine.players.prepare(setting)

    def _forget(self, gid: str) -> None:
        """Make room for a match under that id."""
        self._refused.pop(gid, None)
        oldest = next(iter(self._matches)) if len(self._matches) >= _MOST_MATCHES else gid
        for old in (gid, oldest):
            match = self._matches.pop(old, None)
            if match is not None:
                if match.request is not None:
                    match.request.stop()
                self._engine.players.release(match)
        while len(self._refused) >= _MOST_MATCHES:
            del self._refused[next(iter(self._refused))]

    def _player(self, option: str) -> str:
        """The player that a match's option asks for, or the usual one; programs are not started for a framework."""
        if option in ("", "-"):
            return self._engine.player
        try:
            if parse_spec(option).name not in ("cmd", "human"):
                return option
            why = repr(option[:80])
        except SpecError as error:
            why = str(error)
        self._engine.warn(f"option ignored: {why}")
        return self._engine.player

    def _think(self, gid: str, rid: str, given: dict[str, str], asked: float) -> None:
        match = self._matches.get(gid)
        if match is None:
            raise ValueError(self._refused.get(gid, "there is no match of this name"))
        if match.request is not None:
            match.request.stop()
            match.request = None
        parameters = match.setting.parameters
        state = _position(parameters, given)
        if state.result != UNDECIDED:
            self.say(f"nomove {gid} {rid}")
            return
        budget = _milliseconds(given.get("budget"))
        if budget is None:
            budget = match.budget if match.budget is not None else _USUAL_BUDGET
            self._engine.warn(f"no budget in a request of {gid[:40]!r}: taken as {budget:g} ms")
        players = self._engine.players
        player = players.for_match(match, match.setting)
        # Asked after the player was found: one that is being made, for this request too, costs time.
        request = match.request = ThinkRequest(
            gid, rid, parameters, state, budget / 1000, asked, self.say, players.reserve, self._engine.warn
        )
        request.match = match
        request.look()
        if player is None or player.failed or not request.worth_searching:
            why = (
                "all players think"
                if player is None
                else "it cannot play"
                if player.failed
                else "there is no time to search"
            )
            request.fall_back(why)
            return
        setting, warmed = match.setting, players.warmed
        self._engine.timekeeper.watch(
            request, lambda: player.ready or setting in warmed
        )  # made at once, if not at this moment
        player.ask(request)

    def _stop(self, gid: str, rid: str) -> None:
        match = self._matches.get(gid)
        if match is not None and match.request is not None and match.request.rid == rid:
            match.request.stop()


def _to_stderr(message: str) -> None:
    # Written at once: `print` writes a line and its end one after the other, and other threads write in between.
    sys.stderr.write(f"saddlepoint bot: {one_line(message)}\n")
    sys.stderr.flush()


def _values(words: list[str]) -> dict[str, str]:
    """The values of the words that are written key=value; other words mean nothing."""
    return {key: value for key, equals, value in (word.partition("=") for word in words) if equals}


def _integer(key: str, text: str) -> int:
    if not _INTEGER.fullmatch(text):
        raise ValueError(f"{key} must be a whole number, not {text[:20]!r}")
    return int(text)


def _milliseconds(text: str | None) -> float | None:
    """A duration; None where it is none."""
    return min(float(text), _LONGEST_BUDGET) if text is not None and _DURATION.fullmatch(text) else None


def _position(parameters: Parameters, given: dict[str, str]) -> State:
    """The state of a request, by board, moves or both; raises ValueError where they do not agree."""
    board, moves, colour = given.get("board"), given.get("moves"), given.get("color")
    shown = None if board is None else parameters.of_rows(board)
    played = None if moves is None else replay(parameters, moves)
    state = shown or played
    if state is None:
        raise ValueError("neither board= nor moves= tells the position")
    if played not in (None, state):
        raise ValueError("the moves do not lead to the board")
    if colour is not None and _COLOURS.get(colour) != state.moves & 1:
        raise ValueError(f"color={colour[:10]}: it is the turn of {'WR'[state.moves & 1]}")
    return state


# `csl 1` over stdin and stdout, or over TCP for programs of the same machine.

_CONNECTIONS = 64
_LONGEST_LINE = 1 << 18
_BACKLOG = 1000  # lines that wait at most
_SHUTDOWN = 0.2  # seconds
_LAST_ANSWERS = 5.0  # seconds that open requests have when the input ends
_CUT_SHORT = 0.5  # seconds for what a search has found when its connection ends
_UNREAD = struct.pack(
    "ll", 0, 100_000
)  # seconds, microseconds for an answer nobody reads: the others must not wait


def run_pipe(
    player: str,
    load: LoadMaker,
    source: BinaryIO,
    answers: BinaryIO,
    log: Callable[[str], None] | None = None,
) -> bool:
    """Play until `quit` or the end of the input; True if all threads have ended as well.

    At the end of the input, requests that are open have some seconds for their answers, unless nobody can read these; at `quit` they
    get a quick move.
    """
    engine = Engine(player, load, log)

    def send(text: str) -> None:
        answers.write(text.encode(errors="replace"))
        answers.flush()

    _converse(Connection(engine, send, lambda: _is_closed(answers)), source, engine)
    return engine.players.close(time.monotonic() + _SHUTDOWN)


def _is_closed(answers: BinaryIO) -> bool:
    """Whether the other end of a pipe was closed, as a program's are when it ends."""
    try:
        poll = select.poll()
        poll.register(answers.fileno(), 0)
    except (OSError, ValueError):  # there is no pipe
        return False
    return any(state & (select.POLLERR | select.POLLHUP) for _, state in poll.poll(0))


def run_tcp(player: str, load: LoadMaker, port: int, log: Callable[[str], None] | None = None) -> NoReturn:
    """Serve connections from this machine until the process is ended; port 0 is any free one, named in the log.

    Every connection has matches of its own. `quit` ends the connection that says it: any user of the machine can connect,
    and must not be able to end the server for the others. Raises OSError where the port is taken.
    """
    with socket.create_server((_HOST, port)) as listener:
        engine = Engine(player, load, log)
        engine.warn(f"listening on {_HOST}:{listener.getsockname()[1]}")
        places = threading.BoundedSemaphore(_CONNECTIONS)

        def serve(connected: socket.socket) -> None:
            with places, connected, connected.makefile("rb") as source:
                _converse(Connection(engine, _sender(connected)), source, engine, over=True)
                with contextlib.suppress(OSError):
                    connected.shutdown(socket.SHUT_RDWR)  # the thread that reads is waiting for more

        while True:
            connected, _ = listener.accept()
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connected.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, _UNREAD)
            threading.Thread(target=serve, args=(connected,), daemon=True).start()


def _sender(connected: socket.socket) -> Callable[[str], None]:
    def send(text: str) -> None:
        try:
            connected.sendall(text.encode(errors="replace"))
        except OSError:
            # Let the thread that reads know: nobody is there, or nobody reads.
            with contextlib.suppress(OSError):
                connected.shutdown(socket.SHUT_RDWR)
            raise

    return send


def _converse(connection: Connection, source: BinaryIO, engine: Engine, over: bool = False) -> None:
    """Until the other side says `quit`, its input ends, or nobody reads the answers.

    `over`: the end of the input is the end of the connection, of which nobody waits for long searches.
    """
    wanted = False
    arrived: queue.Queue[tuple[float, str] | None] = queue.Queue(_BACKLOG)

    def read() -> None:
        # Its own thread, so that the time a line waits for those before it counts.
        for line in lines(source, engine.warn):
            arrived.put((time.monotonic(), line))
        arrived.put(None)

    threading.Thread(target=read, name="reader", daemon=True).start()
    while (item := arrived.get()) is not None:
        asked, line = item
        wanted = not connection.handle(line, asked)
        if wanted or connection.broken:
            break
    connection.finish(0.0 if wanted else time.monotonic() + (_CUT_SHORT if over else _LAST_ANSWERS), over)


def lines(source: BinaryIO, warn: Callable[[str], None]) -> Iterator[str]:
    """The lines of a stream until it ends, without those that are too long."""
    whole = True
    try:
        while part := source.readline(_LONGEST_LINE):
            ends = part.endswith(b"\n")
            if whole and (ends or len(part) < _LONGEST_LINE):
                yield part.decode(errors="replace")
            elif whole:
                warn(f"line ignored: longer than {_LONGEST_LINE} bytes")
            whole = ends
    except (OSError, ValueError):
        return

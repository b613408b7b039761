"""`saddlepoint bot simplexity`: every line of csl 1, hostile ones too; it always has a move, and in time."""

import contextlib
import io
import os
import queue
import random
import signal
import socket
import subprocess
import sys
import threading
import time
import types

import psutil
import pytest

from helpers.csl_positions import replay, start, winner
from helpers.programs import wait_until
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.games.simplexity.csl_players import Parameters
from saddlepoint.games.simplexity.csl_server import Connection, Engine, lines, run_pipe
from saddlepoint.play import pool
from saddlepoint.players.base import RandomPlayer

BASE = Parameters()
LARGE = Parameters(33, 42, 20, 400, 500)
TRACKS = [
    BASE,
    Parameters(8, 13, 4, 26, 26),
    Parameters(9, 37, 5, 83, 84),
    Parameters(12, 12, 6, 35, 37),
    Parameters(18, 22, 9, 99, 99),
    LARGE,
]
PATIENCE = 120.0  # seconds, for what has no deadline of its own on a busy machine


def load():
    return make_player


def new(gid, parameters=BASE, opt=""):
    p = parameters
    return f"new {gid} rows={p.rows} cols={p.cols} win={p.win} round={p.round} square={p.square} time=200 opt={opt}"


def think(gid, rid, position, moves=None, budget=200):
    words = [f"{column}{'rs'[shape]}" for column, shape in moves or ()]
    told = "" if moves is None else f" moves={','.join(words) or '-'}"
    return f"think {gid} {rid} color={'WR'[position.mover]} budget={budget} board={position.text()}{told}"


class Talk:
    """The framework's side: lines out, and every line in with the moment it came."""

    def __init__(self, write, source):
        self._write, self._lines = write, queue.Queue()
        self.infos = []
        threading.Thread(target=self._read, args=(source,), daemon=True).start()

    def _read(self, source):
        with contextlib.suppress(OSError, ValueError):
            for line in source:
                self._lines.put((time.monotonic(), line.decode().strip()))
        self._lines.put((time.monotonic(), "END"))

    def say(self, *said):
        self._write("".join(line + "\n" for line in said).encode())
        return time.monotonic()

    def hear(self, timeout=PATIENCE):
        """The next line that is no info, and when it came."""
        while True:
            came, line = self._lines.get(timeout=timeout)
            if not line.startswith("info "):
                return came, line
            self.infos.append((came, line))

    def silent(self, seconds):
        try:
            return self.hear(seconds)
        except queue.Empty:
            return None

    def move(self, gid, rid, position, moves=None, budget=200):
        """The answer to a request, a legal one, and the seconds that it took."""
        sent = self.say(think(gid, rid, position, moves, budget))
        came, line = self.hear()
        assert line.startswith(f"move {gid} {rid} "), line
        column, shape = line.split()[3:]
        move = (int(column), "rs".index(shape))
        assert move in position.moves()
        return move, came - sent


class Program(Talk):
    """The bot as a program, over pipes; `code` is what it must end with."""

    code = 0

    def __init__(self, *arguments, **environment):
        command = [sys.executable, "-m", "saddlepoint", "bot", "simplexity", *arguments]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=os.environ | environment,
        )
        self.log, self._logged = [], threading.Condition()
        threading.Thread(target=self._read_log, daemon=True).start()
        super().__init__(self._send, self.process.stdout)

    def _send(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def _read_log(self):
        with contextlib.suppress(ValueError):
            for line in self.process.stderr:
                with self._logged:
                    self.log.append(line.decode().strip())
                    self._logged.notify_all()

    def wait_for(self, text):
        """The log's line with that text."""
        with self._logged:
            assert self._logged.wait_for(lambda: any(text in line for line in self.log), PATIENCE), self.log
            return next(line for line in self.log if text in line)

    def close(self):
        self.process.stdin.close()
        try:
            assert self.process.wait(30) == self.code
        finally:
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()
            self.process.stderr.close()
        assert not any("Traceback" in line for line in self.log), self.log


@pytest.fixture
def program():
    """Starts programs, and ends them: each must leave by itself and without a trace."""
    started = []

    def start(*arguments, **environment):
        started.append(Program(*arguments, **environment))
        return started[-1]

    yield start
    for one in started:
        one.close()


@pytest.fixture(scope="module")
def best():
    """The usual player, ready for the base board."""
    made = Program()
    made.say("csl 1", new("warm"))
    assert made.hear()[1] == "ok csl 1 name=saddlepoint"
    made.wait_for("ready for 6x7")
    yield made
    made.close()


# -- as a program ------------------------------------------------------------------------------------------------


def played_against_chance(talk, gid, parameters, most, budget, seconds):
    """White's moves are the bot's, each in so many seconds, Red's are random; the position after so many, or at the end, and the moves."""
    draw, position, moves = random.Random(1), start(parameters), []
    for rid in range(most):
        if position.over():
            break
        move, taken = talk.move(gid, rid, position, moves, budget)
        assert taken < seconds  # answered, and not by waiting: whether in time is the benchmark's question
        moves.append(move)
        position = position.after(*move)
        if not position.over():
            moves.append(draw.choice(position.moves()))
            position = position.after(*moves[-1])
    return position, moves


@pytest.mark.slow
def test_a_game_in_time_and_to_its_end(best):
    best.say(new("game"))
    position, moves = played_against_chance(best, "game", BASE, 42, budget=200, seconds=5)
    assert winner(position) == 0
    best.say(think("game", "last", position, moves))
    assert best.hear()[1] == "nomove game last"


@pytest.mark.slow
def test_stop_ends_the_search_long_before_its_budget_and_the_request_is_void(best):
    best.say(new("stopped"))
    best.infos.clear()
    best.say(think("stopped", 1, start(BASE), budget=60_000))
    assert best.silent(0.5) is None
    said = best.say("stop stopped 1")
    assert best.silent(0.5) is None
    came, line = best.infos[-1]
    assert line == "info stopped 1 stopped"
    assert came - said < 10  # of 60 s
    move, seconds = best.move("stopped", 2, start(BASE))
    assert seconds < 5
    assert move in start(BASE).moves()


def seconds_until_all_move(best, gids, budget):
    """Every game is asked at once and gets a move; when the last one came."""
    best.say(*(new(gid) for gid in gids))
    best.infos.clear()
    sent = best.say(*(think(gid, 1, start(BASE), budget=budget) for gid in gids))
    heard = [best.hear() for _ in gids]
    assert sorted(line.split()[1] for _, line in heard) == sorted(gids)
    assert all(line.startswith("move ") for _, line in heard)
    return max(came for came, _ in heard) - sent


@pytest.mark.slow
def test_more_games_than_players_may_be_there_all_get_moves(best):
    gids = [f"crowd{k}" for k in range(25)]
    assert seconds_until_all_move(best, gids, budget=1000) < 12  # one after the other they would take 25 s
    best.infos.clear()
    # One after the other they have a player; on a busy machine not within the first 150 ms.
    for turn in range(2, 12):
        for gid in gids:
            best.move(gid, turn, start(BASE), budget=150)
        if len({line.split()[1] for _, line in best.infos}) > pool.MOST_PLAYERS:
            return
    raise AssertionError("the first games kept their players")


@pytest.mark.slow
def test_whoever_is_told_that_it_is_there_has_the_first_move_searched_and_in_time(program):
    one = program()
    one.say("csl 1")
    assert one.hear()[1] == "ok csl 1 name=saddlepoint"
    assert any("ready for 6x7" in line for line in one.log) or one.wait_for("ready for 6x7")
    one.say(new("first"))
    _, seconds = one.move("first", 1, start(BASE), budget=5000)
    assert seconds < 5.0, "late by the protocol's own rule"
    assert "depth" in one.infos[0][1], "searched, and no quick move"


@pytest.mark.slow
def test_quit_ends_the_program_whatever_it_does(program, tmp_path):
    one = program(NUMBA_CACHE_DIR=str(tmp_path))
    one.say(new("g", LARGE))
    one.wait_for("preparing")
    time.sleep(2)
    one.say(think("g", 1, start(LARGE), budget=60_000), "quit")
    assert one.hear()[1].startswith("move g 1 ")
    assert one.process.wait(10) == 0


@pytest.mark.slow
@pytest.mark.parametrize("parameters", TRACKS, ids=str)
def test_before_anything_is_compiled_it_moves_in_time_on_every_board(parameters, program, tmp_path):
    one = program(NUMBA_CACHE_DIR=str(tmp_path))
    one.say(new("cold", parameters))  # who waits for the answer to `csl 1` waits for the player
    position, _ = played_against_chance(one, "cold", parameters, 12, budget=400, seconds=10)
    if not position.over():
        assert not any(f"ready for {parameters.rows}x{parameters.cols}" in line for line in one.log)
        one.wait_for("the quick move was played, not the player's: it is not ready yet")
    one.say("quit")


def test_lines_of_the_log_stay_whole_whatever_other_threads_write(monkeypatch):
    """One call of `write` a line: between two calls another thread's line gets in."""
    written = []
    monkeypatch.setattr(sys, "stderr", types.SimpleNamespace(write=written.append, flush=lambda: None))
    engine = Engine("random", load)
    engine.warn("listening on 127.0.0.1:4000")
    engine.warn("two\nlines")
    assert "saddlepoint bot: listening on 127.0.0.1:4000\n" in written
    assert all(text.startswith("saddlepoint bot: ") and text.find("\n") == len(text) - 1 for text in written)


@pytest.fixture(scope="module")
def server():
    """The usual player over TCP; its port and its process."""
    made = Program("--tcp", "0")
    made.code = 130
    made.port = int(made.wait_for("listening on 127.0.0.1:").rpartition(":")[2])
    yield made
    made.process.send_signal(signal.SIGINT)
    made.close()


@contextlib.contextmanager
def connected(server):
    with socket.create_connection(("127.0.0.1", server.port)) as stream:
        talk = Talk(stream.sendall, stream.makefile("rb"))
        talk.say("csl 1")
        assert talk.hear()[1] == "ok csl 1 name=saddlepoint"
        talk.stream = stream
        yield talk


@pytest.mark.slow
def test_a_search_ends_with_its_connection(server):
    with connected(server) as talk:
        talk.say(new("left"), think("left", 1, start(BASE), budget=600_000))
        assert talk.silent(0.5) is None
        talk.stream.shutdown(socket.SHUT_RDWR)
    process = psutil.Process(server.process.pid)

    def is_at_rest():
        before = sum(process.cpu_times()[:2])
        time.sleep(0.5)
        return sum(process.cpu_times()[:2]) - before < 0.1

    wait_until(is_at_rest, 60)  # else it still searches, for somebody who has left


@pytest.mark.slow
def test_who_only_says_nothing_more_gets_what_the_search_has_found_until_then(server):
    with connected(server) as talk:
        talk.say(new("half"), think("half", 1, start(BASE), budget=600_000))
        assert talk.silent(0.5) is None
        talk.stream.shutdown(socket.SHUT_WR)
        assert talk.hear()[1].startswith("move half 1 ")
        assert "depth" in talk.infos[-1][1]


@pytest.mark.slow
def test_connections_of_this_machine_have_matches_of_their_own(server):
    with connected(server) as one, connected(server) as two:
        one.say(new("mine", LARGE, "random"))
        one.move("mine", "a", start(LARGE), [], budget=3000)
        two.say(think("mine", "b", start(LARGE)))
        assert two.hear()[1] == "error mine b there is no match of this name"
        one.stream.close()  # leaves, and nobody minds
        two.say("\xff\0" * 9, new("yours"))
        two.move("yours", "c", start(BASE))
        two.say("quit")
        assert two.hear()[1] == "END"
    with connected(server) as three:  # any user of the machine could have said it: the others go on
        three.say("quit")


@pytest.mark.slow
def test_only_csl_is_served_over_tcp_and_a_port_taken_is_a_clear_error(cli):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for game, asked, why in (("light_riders", "0", "--tcp is for csl"), ("simplexity", port, "in use")):
            assert why in cli.ended(2, "bot", game, "--tcp", asked)[1]


# -- line by line ------------------------------------------------------------------------------------------------


class Here(Talk):
    """A connection in this process."""

    def __init__(self, player="random", make=None):
        self.log, answers = [], queue.SimpleQueue()
        self.engine = Engine(player, load if make is None else lambda: make, self.log.append)
        self.connection = Connection(self.engine, lambda text: answers.put(text.encode()))
        super().__init__(
            self._handle, (line for text in iter(answers.get, None) for line in text.splitlines())
        )

    def _handle(self, data):
        assert all(self.connection.handle(line) for line in data.decode().split("\n")[:-1])

    def ask(self, *told):
        """Says the lines; the next answer."""
        self.say(*told)
        return self.hear()[1]


@pytest.fixture
def here():
    made = Here()
    yield made
    made.connection.finish(0.0)
    made.engine.players.close(time.monotonic() + 10)


@pytest.mark.parametrize(
    "line",
    [
        "",
        " ",
        "new",
        "think",
        "think g",
        "stop",
        "stop g",
        "csl",
        "csl 2",
        "hello there",
        "move g 1 3 r",
        "\x00\xff",
        "x" * 10**5,
        "new h rows=six",
        "new h rows=-6",
        "new h rows=2 cols=2 win=3",
        "new h rows=99999999999999999999",
        "new h cols=1000",
        "new h round=-1",
        "new h rows=٦",
    ],
)
def test_a_malformed_line_is_ignored(line, here):
    here.say(new("g"), line)
    assert here.silent(0.0) is None
    assert here.ask(think("g", 1, start(BASE))).startswith("move g 1 ")


@pytest.mark.parametrize(
    ("request_", "why"),
    [
        ("color=W budget=200", "neither board= nor moves="),
        ("color=W budget=200 board=", "expected 6 rows of 7 cells"),
        ("color=W budget=200 moves=9r", "invalid column"),
        ("color=W budget=200 moves=3r,3s,,", "is none"),
        ("color=W budget=200 moves=3r", "it is the turn of R"),
        ("color=R budget=200 moves=-", "it is the turn of W"),
        ("color=blue budget=200 moves=-", "it is the turn of W"),
        ("color=W budget=200 moves=3r,3s board=" + start(BASE).text(), "the moves do not lead to the board"),
        (
            "color=W budget=200 moves=3r,3s board=" + replay(BASE, "3s,3r").text(),
            "the moves do not lead to the board",
        ),
    ],
)
def test_a_request_that_makes_no_sense_is_answered_by_an_error(request_, why, here):
    answer = here.ask(new("g"), f"think g 5 {request_}")
    assert answer.startswith("error g 5 ")
    assert why in answer
    assert here.ask(think("g", 6, start(BASE))).startswith("move g 6 ")


@pytest.mark.parametrize(
    "request_",
    [
        "budget=200 moves=- color=W",
        "moves=- budget=200",
        "moves=-",
        "moves=- budget=soon",
        "moves=- budget=0",
        "moves=- budget=-5",
        "moves=- budget=1",
        "moves=- budget=199.5",
        "moves=- budget=1e99",
        "moves=- budget=999999999999",
        "moves=- unknown=key words without=meaning",
        "board=" + start(BASE).text(),
    ],
)
def test_keys_in_any_order_unknown_and_missing_ones_and_any_budget(request_, here):
    assert here.ask("new g unknown=1 rows=6 what opt=-", f"think g 1 {request_}").startswith("move g 1 ")


def test_no_move_is_the_answer_only_where_there_is_none(here):
    few = Parameters(4, 4, 4, 1, 1)
    assert here.ask(new("g", few), "think g 1 moves=0r,1r,2s,3s") == "nomove g 1"
    assert here.ask("new h round=0 square=0", "think h 1 moves=-") == "nomove h 1"
    assert here.ask(new("i"), "think i 1 moves=0r,1s,0r,1s,0r,1s,0r") == "nomove i 1"
    # Whatever White does, Red completes a line of squares.
    lost = replay(BASE, "0r,2s,0s,3s,6s,4s")
    assert winner(lost) is None
    assert here.ask(new("j"), think("j", 1, lost)).startswith("move j 1 ")


def test_a_board_too_large_for_the_player_is_played_by_quick_moves(here):
    huge = Parameters(60, 50, 5, 1500, 1500)
    assert here.ask(new("g", huge), think("g", 1, start(huge), budget=400)).startswith("move g 1 ")
    assert any("cannot play 60x50" in line for line in here.log)


def test_an_option_may_name_the_player_but_start_no_program(here, tmp_path):
    mark = tmp_path / "started"
    for opt in (f"cmd:touch {mark}", "/bin/true", "./x", "human", "depth=4", "aiden(", "best(", "?"):
        assert here.ask(new("g", opt=opt), think("g", 1, start(BASE))).startswith("move g 1 ")
    assert not mark.exists()
    assert any("option ignored" in line for line in here.log)
    assert here.ask(new("g", opt="random"), think("g", 2, start(BASE))).startswith("move g 2 ")
    assert here.ask(new("g", opt="nobody"), think("g", 3, start(BASE))).startswith("move g 3 ")
    # its thread may still be asked
    wait_until(lambda: any("nobody cannot play" in line for line in here.log), 60, here.log)


def player_that(choose, warm=lambda: None):
    class Made(RandomPlayer):
        def choose(self, state, clock):
            return choose(state, clock)

        def warm(self, game, state, seats=(0, 1)):
            warm()

    return lambda spec, game: Made()


def test_the_greeting_waits_for_the_player_and_keeps_no_other_line_waiting():
    loaded = threading.Event()
    here = Here(make=player_that(None, lambda: loaded.wait(PATIENCE)))
    assert here.ask("csl 1", new("g"), think("g", 1, start(BASE), budget=400)).startswith("move g 1 ")
    assert here.silent(0.1) is None
    loaded.set()
    assert here.hear()[1] == "ok csl 1 name=saddlepoint"
    assert any("not the player's: it is not ready yet" in line for line in here.log)
    assert here.engine.players.close(time.monotonic() + 10)


@pytest.mark.parametrize(
    ("choose", "why"),
    [
        (lambda *_: [].pop(), "failed, a quick move instead: pop from empty list"),
        (lambda *_: 999, "is not legal"),
    ],
)
def test_a_player_that_fails_is_replaced_by_a_quick_move(choose, why):
    here = Here(make=player_that(choose))
    for rid in range(3):
        assert here.ask(new("g"), think("g", rid, start(BASE), budget=60_000)).startswith(f"move g {rid} ")
    assert any(why in line for line in here.log)
    assert here.engine.players.close(time.monotonic() + 10)


@pytest.mark.slow
def test_a_player_that_overruns_is_late_for_nobody():
    here = Here(make=player_that(lambda *_: time.sleep(6) or 0))
    here.say(new("g"))
    wait_until(lambda: any("ready" in line for line in here.log), 60, here.log)
    for rid in range(2):
        began = time.monotonic()
        assert here.ask(think("g", rid, start(BASE), budget=150)).startswith(f"move g {rid} ")
        assert time.monotonic() - began < 5
    assert here.engine.players.close(time.monotonic() + 20)


def test_random_bytes_and_torn_lines_never_crash_it():
    draw = random.Random(5)
    good = [new("g"), think("g", 1, start(BASE)), "stop g 1", "csl 1", "new g rows=9999999"]
    said = []
    for _ in range(300):
        line = bytearray(draw.choice(good).encode())
        for _ in range(draw.randrange(4)):
            line[draw.randrange(len(line))] = draw.randrange(256)
        said.append(bytes(line[: draw.randrange(len(line) + 1)] if draw.random() < 0.3 else line))
    last = [b"", new("z").encode(), think("z", "end", start(BASE), budget=2000).encode()]
    answers, log = io.BytesIO(), []
    assert run_pipe("random", load, io.BytesIO(b"\n".join(said + last)), answers, log.append)
    told = answers.getvalue().decode().splitlines()
    assert all(line.split()[0] in ("ok", "move", "nomove", "error", "info") for line in told)
    assert sum(line.startswith("move z end ") for line in told) == 1


def test_lines_too_long_are_skipped_whole():
    log = []
    long = b"think " + b"x" * 600_000 + b"\n"
    assert list(lines(io.BytesIO(b"a\n" + long + b"b\r\n" + long + b"c"), log.append)) == [
        "a\n",
        "b\r\n",
        "c",
    ]
    assert len(log) == 2


def test_matches_that_never_play_take_no_players(here):
    for k in range(300):
        here.say(new(f"idle{k}"))
    assert len(here.engine.players._players) == 1


def test_a_search_ends_when_nobody_is_left_to_read_its_answer(monkeypatch: pytest.MonkeyPatch):
    """The framework has ended: its ends of both pipes are closed."""
    monkeypatch.setattr("saddlepoint.games.simplexity.csl_server._LAST_ANSWERS", 600.0)
    asked, ended = threading.Event(), threading.Event()
    still_thinking: queue.Queue[bool] = queue.Queue()
    reading, writing = os.pipe()

    def choose(*_):
        asked.set()
        still_thinking.put(ended.wait(60))
        return 0

    class Framework(io.BytesIO):
        """Asks, and ends when the search has begun."""

        def readline(self, size=-1):
            line = super().readline(size)
            if not line:
                asked.wait(60)
                os.close(reading)
            return line

    told = [new("g"), think("g", 1, start(BASE), budget=600_000), ""]
    with os.fdopen(writing, "wb", 0) as answers:
        log: list[str] = []
        run_pipe(
            "random", lambda: player_that(choose), Framework("\n".join(told).encode()), answers, log.append
        )
    ended.set()
    assert still_thinking.get(timeout=60), "the end came before the search's"

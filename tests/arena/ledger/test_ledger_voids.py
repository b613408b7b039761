"""What the machine does is nobody's result: the game is void, recorded as such, and played again."""

import errno
import os
import signal
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from helpers.arena_games import NODES, SEARCH, numbers, plan
from helpers.programs import output_of
from helpers.report_pages import report_of
from saddlepoint.arena import tournament, workers
from saddlepoint.arena.conditions import Job, Load, VoidGame
from saddlepoint.arena.ledger import Filter, Ledger
from saddlepoint.arena.schedule import Plan, RoundRobin
from saddlepoint.arena.summary import match_summary
from saddlepoint.arena.tournament import run_tournament
from saddlepoint.arena.tuned_parameters import Parameter
from saddlepoint.arena.tuning import Tuning, run_tuning
from saddlepoint.compiled import KernelError
from saddlepoint.game.base import Game
from saddlepoint.games.light_riders import LightRiders
from saddlepoint.play.game import play_game
from saddlepoint.players.base import FaultKind, MachineFault, Player, RandomPlayer, player_seed
from saddlepoint.players.clock import Clock

GAME = LightRiders(8, 6)
FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


class Failing(RandomPlayer):
    """The machine fails in its first moves, so many times over all games."""

    left = 0
    error: Exception = FULL

    def choose(self, state: Any, clock: Clock) -> int:
        if Failing.left > 0 and clock.bank > 1:  # not while it is warmed
            Failing.left -= 1
            raise Failing.error
        return super().choose(state, clock)


@pytest.mark.parametrize(
    "error", [FULL, MemoryError(), KernelError("Evaluator.value: no such thing"), MachineFault("a stall")]
)
def test_a_failure_of_the_machine_is_no_fault_of_a_player(error: Exception) -> None:
    Failing.left, Failing.error = 1, error
    with pytest.raises(MachineFault):
        play_game(GAME, (RandomPlayer(), Failing()), seed=1)


def test_an_error_of_a_players_own_is_its_fault() -> None:
    Failing.left, Failing.error = 1, FileNotFoundError(errno.ENOENT, "no such file")
    fault = play_game(GAME, (Failing(), RandomPlayer()), seed=1).faults[0]
    assert fault is not None
    assert fault.kind == FaultKind.ERROR


def failing_players(monkeypatch: pytest.MonkeyPatch, times: int, error: Exception = FULL) -> None:
    made = workers.make_player
    monkeypatch.setattr(tournament, "_PAUSES", (0.01, 0.02, 0.04))
    monkeypatch.setattr(
        workers, "make_player", lambda spec, *rest: Failing() if spec == "random" else made(spec, *rest)
    )
    Failing.left, Failing.error = times, error


def test_a_void_game_is_played_again_and_counted_as_void(
    monkeypatch: pytest.MonkeyPatch, ledger: Ledger, tmp_path: Path
) -> None:
    failing_players(monkeypatch, 2)
    outcome = run_tournament(RoundRobin((SEARCH, "random")), plan(4), NODES, ledger=ledger)
    assert ledger.count(Filter(cause="rules")) == 4 == len(numbers(ledger, 1))
    reasons = ["OSError: [Errno 28] No space left on device"] * 2
    assert [entry.void.reason for entry in ledger.voids()] == reasons
    assert all(entry.void.load is not None for entry in ledger.voids())
    assert (outcome.standings.games, outcome.standings.voids, outcome.standings.fault_count) == (4, 2, 0)
    data = match_summary(outcome, SEARCH, "random")
    assert (data["games"], data["voids"], data["wins"] + data["draws"] + data["losses"]) == (4, 2, 4)
    data, page = report_of(tmp_path / "games.db")
    assert (data["games"][0]["games"], data["games"][0]["voids"]) == (4, 2)
    assert "2 games were void, because the machine failed" in page
    assert "No space left on device" in page


def test_a_machine_that_fails_every_time_stops_the_run_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, ledger: Ledger
) -> None:
    failing_players(monkeypatch, 10**9)
    outcome = run_tournament(RoundRobin((SEARCH, "random")), plan(50), NODES, ledger=ledger)
    assert (ledger.count(), ledger.tournament(1).finished) == (0, None)
    assert outcome.standings.voids <= 3 * 4  # of three games in four tries
    assert outcome.unplayable[0].startswith("game ")
    assert "was void 4 times, the machine is at fault: OSError: [Errno 28]" in outcome.unplayable[0]


class Busy(Player):
    """The machine fails in the games whose seeds are these."""

    seeds: frozenset[int] = frozenset()

    def begin(self, game: Game, player: int, seed: int | None = None) -> None:
        if seed in self.seeds:
            raise MachineFault("the disk is full")
        super().begin(game, player, seed)

    def choose(self, state: Any, clock: Clock) -> int:
        return int(self.game.legal_actions(state, self.player)[0])


def busy_in(monkeypatch: pytest.MonkeyPatch, match: Plan, games: set[int]) -> None:
    failing_players(monkeypatch, 0)
    made = workers.make_player
    monkeypatch.setattr(
        workers, "make_player", lambda spec, *rest: Busy() if spec == "random" else made(spec, *rest)
    )
    Busy.seeds = frozenset(player_seed(match.seed_of(number), seat) for number in games for seat in (0, 1))


def test_what_cannot_be_played_on_a_busy_machine_does_not_end_the_other_games(
    monkeypatch: pytest.MonkeyPatch, ledger: Ledger
) -> None:
    busy_in(monkeypatch, match := plan(8), {1, 2})
    outcome = run_tournament(RoundRobin((SEARCH, "random")), match, NODES, ledger=ledger)
    assert numbers(ledger, 1) == {0, 3, 4, 5, 6, 7}
    assert ledger.tournament(1).finished is None  # --resume plays the others
    assert [text.partition(",")[0] for text in outcome.unplayable] == [
        "game 1 was void 4 times",
        "game 2 was void 4 times",
    ]


def test_a_machine_that_comes_to_rest_costs_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    busy_in(monkeypatch, match := plan(4), {0, 1, 2, 3})
    pauses: list[float] = []

    def rest(seconds: float) -> None:
        pauses.append(seconds)
        if sum(pauses) > 0.05:
            Busy.seeds = frozenset()

    clock = SimpleNamespace(sleep=rest, monotonic=lambda: sum(pauses), perf_counter=time.perf_counter)
    monkeypatch.setattr(tournament, "time", clock)
    outcome = run_tournament(RoundRobin((SEARCH, "random")), match, NODES)
    assert (outcome.standings.games, outcome.unplayable) == (4, [])
    assert 0.05 < sum(pauses) < 0.08


def test_what_could_not_be_played_is_told_with_the_reason(monkeypatch: pytest.MonkeyPatch, cli: Any) -> None:
    busy_in(monkeypatch, plan(4), {2})
    few = ("-n", "4", "--seed", "1", "-j", "1")
    out, err = cli.ended(2, "match", "random", "random", "--size", "8x6", *few)
    assert "3 of 4 games were played" in out
    assert "1 game could not be played, the others stand: game 2 was void 4 times" in err
    assert "the disk is full" in err


def test_the_ledger_gives_a_void_game_back_as_it_was(ledger: Ledger) -> None:
    """When it began is not how long it took, and neither is the load."""
    void = VoidGame(
        Job(0, 0, ("random", SEARCH), "", 7), "the disk is full", 1_700_000_000.25, 12.5, Load(3.0, 2)
    )
    run_tournament(RoundRobin(("random", SEARCH)), plan(2), NODES, ledger=ledger)
    ledger.add_void(1, replace(void, reason="before"))
    ledger.add_void(1, void)
    _, entry = ledger.voids(1)
    assert (entry.id, entry.tournament) == (2, 1)
    assert entry.void.started == void.started
    assert (entry.void.seconds, entry.void.reason, entry.void.load) == (void.seconds, void.reason, void.load)
    assert entry.void.job.seed == void.job.seed


@pytest.mark.slow
def test_a_tuning_on_a_failing_machine_stops_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    failing_players(monkeypatch, 10**9)
    start = "alphabeta(evaluator=voronoi_edges(k1=0.1, k2=0.1))"
    tuning = Tuning(start, (Parameter("evaluator.k1", -1.0, 1.0),), ("random",), games=8, trial_games=4)
    with pytest.raises(ValueError, match="was void 4 times, the machine is at fault"):
        run_tuning(tuning, plan(8), NODES)


STOPPED = """
import os, subprocess, sys, time
from saddlepoint.play.game import play_game
from saddlepoint.games.light_riders import LightRiders
from saddlepoint.players.base import MachineFault
from saddlepoint.players.clock import Clock
from saddlepoint.players.base import RandomPlayer

class Stopped(RandomPlayer):
    def choose(self, state, clock):
        subprocess.run(["sh", "-c", "kill -STOP {0}; sleep 1; kill -CONT {0}".format(os.getpid())])
        return super().choose(state, clock)

class Sleeping(RandomPlayer):
    def choose(self, state, clock):
        time.sleep(1)
        return super().choose(state, clock)

game, clock = LightRiders(6, 6), Clock(0.7, 0.7)
for seat, kind in ((0, Stopped), (1, Stopped), (0, Sleeping)):
    players = [RandomPlayer(), RandomPlayer()]
    players[seat] = kind()
    try:
        record = play_game(game, players, game.initial_state(), (clock, clock), 1)
        print(record.faults[seat].kind, record.late[seat])
    except MachineFault as error:
        print("void", error)
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="there is no such signal")
def test_a_game_lost_while_the_referee_was_stopped_is_void_and_a_player_that_sleeps_is_late() -> None:
    told = [line.split()[:2] for line in output_of("-c", STOPPED).splitlines()]
    assert told == [["void", "this"], ["void", "this"], ["late", "True"]]


@pytest.mark.slow
def test_no_game_is_lost_to_compilation(tmp_path: Path) -> None:
    """With an empty cache, the first games with a clock end by the rules."""
    path = tmp_path / "games.db"
    match = f"-m saddlepoint match random random --game goofspiel -n 4 --time 0.5 -j 2 --ledger {path}"
    output_of(*match.split(), cache=tmp_path / "cache")
    with Ledger(path, create=False) as ledger:
        assert {entry.played.cause for entry in ledger.games()} == {"rules"}
        assert list(ledger.voids()) == []

"""What a cluster's worker does for a tournament: its threads play batches of games until the tournament says it is over.

A worker outlives the tournaments it serves, and its threads cannot be ended from outside: that is why a tournament that
stops has to tell its workers, so that they leave their games and end their players' programs.
"""

import functools
import hashlib
import threading

from ...compiled.sources import PACKAGE, package_digest
from ..conditions import MatchConditions
from ..job import Job, PlayedGame, VoidGame
from ..ledger.versions import player_version
from .worker import PlayerPool


class OverError(Exception):
    """The tournament of these games is over; nobody waits for their results."""


class OtherVersionError(ValueError):
    """A worker has not the same version of this library as the machine that sends it games."""


class _Thread:
    """A thread's players. `lock` is held while they play."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.run = ""
        self.pool: PlayerPool | None = None

    def close(self) -> None:
        if self.pool is not None:
            self.pool.close()
            self.pool = None


_threads: dict[int, _Thread] = {}
_over: set[str] = set()


@functools.cache
def library_digest() -> str:
    """Digest of everything that a game played elsewhere depends on: all sources of this library, Numba and Python."""
    digest = hashlib.blake2b(package_digest().encode(), digest_size=8)
    for path in sorted((*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.pyi"))):
        digest.update(str(path.relative_to(PACKAGE)).encode() + path.read_bytes())
    return digest.hexdigest()


def play_remotely(run: str, digest: str, conditions: MatchConditions, jobs: list[Job]) -> list[PlayedGame | VoidGame]:
    """Play games one after another in this thread, as `play_jobs` does.

    `run` names the tournament, `digest` its library. Raises OverError as soon as `end_run` was called for it, at the
    latest after the next move, and OtherVersionError where this worker's library is another one.
    """
    if digest != library_digest():
        raise OtherVersionError
    _leave_if_over(run)
    thread = _threads.setdefault(threading.get_ident(), _Thread())
    with thread.lock:
        if thread.pool is None or thread.run != run or thread.pool.conditions != conditions:
            thread.close()
            thread.run, thread.pool = run, PlayerPool(conditions)
        pool = thread.pool
        try:
            return [pool.play(job, lambda *_: _leave_if_over(run)) for job in jobs]
        finally:
            if run in _over:
                thread.close()


def _leave_if_over(run: str) -> None:
    if run in _over:
        raise OverError


def end_run(run: str) -> None:
    """The tournament is over: end its players, at once where they wait, after their next move where they play."""
    _over.add(run)
    for thread in list(_threads.values()):
        if thread.run == run and thread.lock.acquire(timeout=0.5):
            try:
                thread.close()
            finally:
                thread.lock.release()


def inspect_worker(players: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The digest of this worker's library, and the players' versions: programs' files may differ between machines."""
    return library_digest(), tuple(player_version(spec) for spec in players)

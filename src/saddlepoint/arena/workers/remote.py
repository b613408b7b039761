"""What a cluster's worker does for a tournament: its threads play batches of games until the tournament says it is over.

A worker outlives the tournaments it serves, and its threads cannot be ended from outside: that is why a tournament that
stops has to tell its workers, so that they leave their games and end their players' programs.
"""

import functools
import hashlib

from ...compiled.sources import PACKAGE, package_digest
from ..conditions import MatchConditions
from ..job import Job, PlayedGame, VoidGame
from ..ledger.versions import player_version
from .worker import kept, kept_players


class OverError(Exception):
    """The tournament of these games is over; nobody waits for their results."""


class OtherVersionError(ValueError):
    """A worker has not the same version of this library as the machine that sends it games."""


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
    players = kept_players()
    with players.lock:
        try:
            return players.play(conditions, jobs, run, lambda *_: _leave_if_over(run))
        finally:
            if run in _over:
                players.close()


def _leave_if_over(run: str) -> None:
    if run in _over:
        raise OverError


def end_run(run: str) -> None:
    """The tournament is over: end its players, at once where they wait, after their next move where they play."""
    _over.add(run)
    for players in list(kept.values()):
        if players.run == run and players.lock.acquire(timeout=0.5):
            try:
                players.close()
            finally:
                players.lock.release()


def inspect_worker(players: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The digest of this worker's library, and the players' versions: programs' files may differ between machines."""
    return library_digest(), tuple(player_version(spec) for spec in players)

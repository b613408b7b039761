"""What a cluster's worker does for a tournament: its threads play batches of games until the tournament says it is over.

The players' programs are ended with it, which is why a tournament that stops tells its workers more than `cluster.remote` does.
"""

from collections.abc import Callable

from ...cluster import library_digest
from ...cluster.remote import end_run as end_any_run
from ..conditions import MatchConditions
from ..job import Job, PlayedGame, VoidGame
from ..ledger.versions import player_version
from .worker import MatchPlayers

_of_runs: dict[str, MatchPlayers] = {}
"""The players of tournaments that are not over."""


def play_remotely(leave: Callable[[], None], run: str, conditions: MatchConditions, jobs: list[Job]) -> list[PlayedGame | VoidGame]:
    """Play games one after another in this thread, as `play_jobs` does; `run` names the tournament.

    `leave` is called after every move: it raises OverError once `end_run` was called.
    """
    players = _of_runs.setdefault(run, MatchPlayers())
    return [players.play(conditions, job, lambda *_: leave()) for job in jobs]


def end_run(run: str) -> None:
    """The tournament is over: end its players, at once where they wait, after their next move where they play."""
    end_any_run(run)
    players = _of_runs.pop(run, None)
    if players is not None:
        players.close()


def inspect_worker(players: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The digest of this worker's library, and the players' versions: programs' files may differ between machines."""
    return library_digest(), tuple(player_version(spec) for spec in players)

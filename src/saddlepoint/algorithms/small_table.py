"""Exact searches whose table is too small: what is needed again is lost, and solved again and again, perhaps without an end."""

import threading
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from ..compiled.directory import warn_once
from .table import ENTRY

_LEAST_AGAIN = 1000
"""Sampled positions, one in sixteen of at most 1,024, that are solved again before anything is said."""
_SECONDS = 1.0


@contextmanager
def exact_search(ws: Any, entries: int) -> Generator[None]:
    """While it lasts the table is used in buckets, and somebody is told, once, if positions are mostly solved again."""
    ws["buckets"], ws["solved_once"], ws["solved_again"] = 1, 0, 0
    ws["sampled"] = 0
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(_SECONDS):
            if thrashes(ws):
                break
        if thrashes(ws):
            _tell(entries)

    watcher = threading.Thread(target=watch, daemon=True)  # compiled code lets it run
    watcher.start()
    try:
        yield
    finally:
        ws["buckets"] = 0
        ended.set()
        watcher.join()


def thrashes(ws: Any) -> bool:
    """Whether most of the search is work that was done before and lost."""
    return int(ws["solved_again"]) >= _LEAST_AGAIN and int(ws["solved_again"]) > int(ws["solved_once"])


def _tell(entries: int) -> None:
    size = ENTRY.itemsize * entries
    told = f"{size / 1e6:,.0f} MB" if size >= 1e6 else f"{size / 1e3:,.0f} kB"
    warn_once(
        f"the search's table of {entries:,} entries ({told}) is too small: most positions are lost and solved again; "
        f"give search(..., memory=Memory({8 * entries})), or use `saddlepoint solve`, whose table grows"
    )

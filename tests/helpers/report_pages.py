"""Ledgers for the tests of reports, and a reader of their pages."""

from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from itertools import count
from pathlib import Path
from typing import Any

from helpers.arena_games import NODES, plan, played
from saddlepoint.arena.conditions import MatchConditions, PlayedGame
from saddlepoint.arena.ledger import Ledger
from saddlepoint.arena.report import gather, report_data
from saddlepoint.arena.report.page import report_page
from saddlepoint.arena.schedule import settings_of
from saddlepoint.players.base import Fault, FaultKind

HOSTILE = 'cmd:</script><script>alert(1)</script><img src=x onerror="alert(2)">\'&amp;'
_VOID = {"meta", "input"}
_seeds = count()


def real_games(count: int, conditions: MatchConditions = NODES) -> list[PlayedGame]:
    """Games of random players, in pairs."""
    return played("random", "random", games=count, conditions=conditions)[1]


def renamed(
    game: PlayedGame, first: str, second: str, number: int, points: float | None = None
) -> PlayedGame:
    """The game under other names, taken for another one; the second game of a pair follows the first."""
    job = replace(
        game.job, players=(first, second), number=number, pair=number - number % 2, seed=next(_seeds)
    )
    return replace(game, job=job, points=game.points if points is None else points, chance=True)


def at_fault(game: PlayedGame, player: int, words: str) -> PlayedGame:
    """The game, lost at its start by a player's fault."""
    fault = Fault(FaultKind.LATE, player, 0, words)
    faults = (fault, None) if player == 0 else (None, fault)
    points, reason = float(player), f"player {player} at fault: {words}"
    return replace(
        game, faults=faults, points=points, result=2 * points - 1, reason=reason, actions=(), times=((), ())
    )


def enter(
    ledger: Ledger, games: list[PlayedGame], conditions: MatchConditions = NODES, swap: bool = True
) -> int:
    """A tournament of these games; its number."""
    players = tuple(sorted({spec for game in games for spec in game.job.players}))
    number = ledger.begin(
        "round-robin", players, settings_of(conditions, plan(2, swap=swap, conditions=conditions)), len(games)
    )
    for game in games:
        assert ledger.add(number, game)
    ledger.finish(number)
    return number


def report_of(path: Path, **only: Any) -> tuple[dict[str, Any], str]:
    """A ledger's figures and its page."""
    with Ledger(path, create=False) as ledger:
        figures = gather(ledger, **only)
        data = report_data(ledger, figures, "today")
    return data, report_page(data, figures)


def reported(folder: Path, *tournaments: list[PlayedGame], swap: bool = True) -> tuple[dict[str, Any], str]:
    """The figures and the page of a new ledger of these tournaments."""
    with Ledger(folder / "games.db") as ledger:
        for games in tournaments:
            enter(ledger, games, swap=swap)
    return report_of(folder / "games.db")


@dataclass
class Page(HTMLParser):
    """What is in a page; raises AssertionError where tags do not nest."""

    text: str
    open_tags: list[str] = field(default_factory=list[str])
    tags: list[str] = field(default_factory=list[str])
    attributes: list[tuple[str, str, str]] = field(default_factory=list[tuple[str, str, str]])
    """(tag, attribute, value)"""
    elements: list[list[tuple[str, str]]] = field(default_factory=list[list[tuple[str, str]]])
    """The attributes of each element."""
    texts: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    """What stands directly in each kind of tag."""

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.text)
        self.close()
        assert not self.open_tags, f"not closed: {self.open_tags}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        self.elements.append([(name, value or "") for name, value in attrs])
        if tag not in _VOID:
            self.open_tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open_tags, f"</{tag}> closes nothing"
        assert self.open_tags.pop() == tag, f"</{tag}> closes another tag"

    def handle_data(self, data: str) -> None:
        if self.open_tags:
            self.texts.setdefault(self.open_tags[-1], []).append(data)

    def values(self, attribute: str) -> list[str]:
        """All values of an attribute."""
        return [value for _, name, value in self.attributes if name == attribute]

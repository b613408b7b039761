"""The part of `exploit` that studies players by games."""

from dataclasses import dataclass
from decimal import ROUND_FLOOR, ROUND_HALF_EVEN, Context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..game.spec import HUMAN, name_of
from ..system.patience import MEASURING_SAID
from ..system.terminal import Progress, fail, print_json, print_records, print_wrapped
from ..system.text import Column, count_of, value_text
from .common import Aliases, memory_in_bytes, read_clock, read_limits

if TYPE_CHECKING:
    from ..arena.studied import Study
    from ..game.base import Game

STUDY, GAMES = 5000, 1000
"""Games of a study, and fresh ones after it, where nobody says it."""
_MEMORY = 256e6
"""Bytes for all positions at most, where nobody says it: they are gone through for each new answer."""


@dataclass(frozen=True)
class StudyOptions:
    """The options of a study."""

    study: int
    games: int
    look: int
    seed: int
    seconds: float | None
    nodes: int | None
    habits: Path | None


def study_players(
    players: list[str],
    game: "Game",
    state: Any,
    asked: StudyOptions,
    memory: int | None,
    aliases: Aliases,
    as_json: bool,
) -> None:
    """Study each player, play fresh games against it, and print what can be won from it.

    After Ctrl-C what is whole is printed, and KeyboardInterrupt raised again.
    """
    from ..arena.conditions import MatchConditions
    from ..arena.studied import Study
    from ..policies.opponents import Habits, choices_within
    from .arena_runs import check_players
    from .starting import say_how_contained

    if asked.games % 2:
        raise ValueError(f"fresh games are played in pairs, one on each side: --games {asked.games + 1}")
    if HUMAN in players and asked.habits is None:
        raise ValueError(
            "human: nobody plays so many games; --habits FILE has games that a person has played"
        )
    conditions = MatchConditions(
        game, read_clock(asked.seconds, None, asked.nodes, players), read_limits(asked.nodes), tolerance=0.02
    ).hiding(players, asked.habits)
    check_players(conditions, tuple(player for player in players if player != HUMAN))
    say_how_contained(conditions.isolation, players)
    most = memory_in_bytes(memory) if memory else min(memory_in_bytes(None), _MEMORY)
    found: list[Study] = []
    try:
        choices = choices_within(game, state, most)
        for player in players:
            found.append(
                Study(player, conditions, state, Habits(game, choices), asked.games, asked.seed, asked.look)
            )
            _run(found[-1], asked, aliases.name(player))
    except KeyboardInterrupt:
        found = [one for one in found if one.won]
        after = (
            "what follows is of the games until now, and true all the same"
            if found
            else "no fresh game is over"
        )
        fail(f"interrupted; {after}")
        if found:
            _tell(found, aliases, as_json)
        raise
    _tell(found, aliases, as_json)


def _run(task: "Study", asked: StudyOptions, name: str) -> None:
    """Study one player."""
    from ..games.catalogue.games import make_game
    from ..play.reading import choices_in

    if asked.habits is not None and not task.learn(
        choices_in(asked.habits, task.conditions.game, task.player, make_game)
    ):
        raise ValueError(f"{str(asked.habits)!r} has no game of {name} by these rules")
    if task.player == HUMAN:
        task.freeze()
        return
    with Progress(asked.study + asked.games, patience=MEASURING_SAID) as bar:
        task.tell = lambda done, what: bar.update(done, f"{what}, {name}")
        task.run(asked.study)


def _tell(found: "list[Study]", aliases: Aliases, as_json: bool) -> None:
    """Print what was found: as JSON, or a table with a sentence for each player."""
    rows = [one.figures() for one in found]
    if as_json:
        conditions, state = found[0].conditions, found[0].state
        game = conditions.game
        print_json(
            aliases.beside(
                {
                    "game": name_of(game),
                    "rules": repr(game),
                    "start": game.to_text(state),
                    "seed": found[0].seed,
                    "players": rows,
                }
            )
        )
        return
    print_records(
        [
            Column("player", wraps=True),
            *map(Column, ("games studied", "fresh games", "won a game", "at least (95 %)")),
        ],
        [
            {
                "player": aliases.name(row["player"]),
                "games studied": f"{row['studied']:,}",
                "fresh games": f"{row['games']:,}",
                "won a game": _number(row["mean"]),
                "at least (95 %)": _number(row["at_least"], ROUND_FLOOR),
            }
            for row in rows
        ],
    )
    for row in rows:
        for sentence in _sentences(row, aliases.name(row["player"])):
            print_wrapped(sentence)
    if not rows[0]["is_exact"]:
        print_wrapped(
            "Not all positions were gone through: answers look ahead, and better ones may win more."
        )
    if any(row["games"] for row in rows):
        print_wrapped(
            "Each bound is of what was won in the fresh games: a player that changes its play may lose less, or more, in others."
        )


def _sentences(row: dict[str, Any], name: str) -> list[str]:
    """What a row means, in words."""
    said: list[str] = []
    if row["games"] and row["at_least"] > 0:
        said.append(
            f"In this game {name} loses at least {_number(row['at_least'], ROUND_FLOOR, 2)} a game to somebody who has studied it."
        )
    elif row["games"]:
        said.append(f"Of {name} nothing is shown: it is not certain that the answer wins anything.")
    if row["expected"] is not None:
        more = "" if row["games"] else ", if the habits stay; only fresh games could show it"
        said.append(
            f"Expected by what it did in {count_of(row['positions'], 'position')}: {_number(row['expected'], digits=2)} a game{more}."
        )
    elif not row["games"]:
        said.append("Its positions are too many to say what can be won.")
    if sum(row["faults"]):
        study, fresh = row["faults"]
        said.append(
            f"By faults it lost {study:,} games of the study and {fresh:,} fresh ones; the first: {row['first_fault']}."
        )
    if row["only_fails"]:
        said.append("Since it lost game after game so, no more were played: mend it, and study it again.")
    return said


def _number(value: float | None, rounding: str = ROUND_HALF_EVEN, digits: int = 4) -> str:
    """A number for people; a lower bound is rounded down."""
    if value is None:
        return "-"
    return value_text(float(Context(digits, rounding).create_decimal(value)), f".{digits}g")

"""The record of a game, its turns, and why it is over in words."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, NamedTuple

from ..game.base import CHANCE, TERMINAL, Game
from ..players.base import Answer, Fault, MoveStatistics
from ..system.text import count_of, value_text

Faults = tuple[Fault | None, Fault | None]


class Choice(NamedTuple):
    """The choice of a player that was asked."""

    answer: Answer | None
    """The answer that counts; where none did, the player's own, None if it gave none."""
    seconds: float
    bank: float
    """Seconds left after it."""


@dataclass(frozen=True)
class GameRecord:
    """The record of a game. The same start and actions give the same game again."""

    start: Any
    actions: tuple[tuple[int, int], ...]
    """Joint actions, -1 for a player without a choice; a chance outcome in the first place."""
    result: float
    """Player 0's, in the game's units; a player that loses by a fault has the worst result."""
    reason: str
    faults: Faults
    """The fault by which each player lost or was shut down; None for a player that played on."""
    late: tuple[int, int]
    """How many answers of each player were late; more than one where its contest forgives them."""
    choices: tuple[tuple[Choice, ...], tuple[Choice, ...]]
    """Each player's, in their order."""
    chance: bool
    """Whether anything was left to chance by the rules."""

    @property
    def times(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Seconds of each choice of each player."""
        a, b = (tuple(choice.seconds for choice in side) for side in self.choices)
        return a, b

    @property
    def searches(self) -> tuple[tuple[MoveStatistics | None, ...], tuple[MoveStatistics | None, ...]]:
        """The statistics of the search behind each choice of each player.

        None where the player reported nothing.
        """
        a, b = (
            tuple(choice.answer.statistics if choice.answer else None for choice in side)
            for side in self.choices
        )
        return a, b


def points_of(game: Game, result: float) -> float:
    """Player 0's points for a result of its: 1, 0.5 for the middle of the game's results, or 0."""
    middle = (game.min_utility + game.max_utility) / 2
    return 0.5 if result == middle else float(result > middle)


# Turns as people count them: what chance does is none, and a round in which both move is one.


class Turns:
    """The numbers of the turns of a game, given its positions.

    A step is one change of the position, by players or by chance; steps are indices of positions.
    """

    def __init__(self, game: Game, states: Sequence[Any]) -> None:
        self.word = game.turn_word or ("move" if game.turn_based else "round")
        self._first = game.first_turn
        self._done = [game.turns_played(states[0])]
        for state in states[:-1]:
            self._done.append(self._done[-1] + (game.current_player(state) not in (CHANCE, TERMINAL)))

    @property
    def steps(self) -> int:
        """The number of steps."""
        return len(self._done) - 1

    @property
    def count(self) -> int:
        """The number of turns played in the end, with those before the first position."""
        return self._done[-1]

    def done(self, step: int) -> int:
        """The number of turns played before the position."""
        return self._done[step]

    def number(self, step: int) -> int:
        """The number of the turn that is played next in the position."""
        return self._done[step] + self._first

    def label(self, step: int) -> str:
        """`round 23`: the turn that is played next in the position."""
        return f"{self.word} {self.number(step)}"

    def span(self, first: int, last: int) -> str:
        """`rounds 23 to 26`: the turns from one position to another."""
        a, b = self.number(first), self.number(last)
        return f"{self.word} {a}" if a == b else f"{self.word}s {a} to {b}"

    def after(self, step: int) -> str:
        """`after 46 of 110 turns`: where the position stands in the game."""
        return f"after {self.done(step)} of {self.counted()}"

    def counted(self) -> str:
        """`110 turns`: how many were played in the end."""
        return count_of(self.count, self.word)

    def fault_words(self, fault: Fault) -> str:
        """A fault in words, with its turn of the game; a step beyond the game counts as its end."""
        where = (
            "before the game"
            if fault.step is None
            else f"in {self.label(min(max(fault.step, 0), self.steps))}"
        )
        return f"{fault.text}, {where}"

    def step_after(self, turns: int) -> int:
        """The last position with `turns` turns before it: the one in which players move; raises ValueError where there is none."""
        if not self._done[0] <= turns <= self.count:
            raise ValueError(f"there are {self._done[0]} to {self.count} {self.word}s, not {turns}")
        return len(self._done) - 1 - self._done[::-1].index(turns)

    def nearest(self, turns: int) -> int:
        """The step after `turns` turns, or the end of the game on that side."""
        return self.step_after(min(max(turns, self._done[0]), self.count))


# Sentences for people: why a game is over, and what a player is called.

_PLAYER = re.compile(r"\bplayer ([01])\b('s)?")
YOU = "You"
"""The name of the person reading, who is addressed in the second person."""
_SECOND_PERSON = {"it": "you", "its": "your", "was": "were", "has": "have", "is": "are", "does": "do"}
_OF_IT = re.compile(r"\b(?:(it) (was|has|is|does)|(its?))\b(?!')")


def distinct_names(players: Sequence[str]) -> tuple[str, str]:
    """The players' names, with their numbers where they are the same."""
    a, b = players
    return (a, b) if a != b else (f"{a} (0)", f"{b} (1)")


def said_of(name: str, predicate: str) -> str:
    """A sentence without its full stop; of `You` in the second person."""
    if name != YOU:
        return f"{name} {predicate}"
    verb, _, rest = predicate.partition(" ")
    rest = _OF_IT.sub(lambda found: " ".join(_SECOND_PERSON[word] for word in found.groups() if word), rest)
    return " ".join(filter(None, (name, _SECOND_PERSON.get(verb, verb), rest)))


def in_a_sentence(name: str) -> str:
    """A name within a sentence."""
    return "you" if name == YOU else name


def words_of_faults(faults: Sequence[Fault | None], turns: Turns) -> tuple[str, str]:
    """Each player's fault in words; empty for a player without one."""
    a, b = ("" if fault is None else turns.fault_words(fault) for fault in faults)
    return a, b


def endings_json(game: Game, states: Sequence[Any]) -> dict[str, Any] | None:
    """(`players`: each one's ending or None, `why`: the reason of the end) of a finished game; else None.

    `states` are the known positions.
    """
    if game.current_player(states[-1]) != TERMINAL:
        return None
    return {
        "players": [None if one is None else one.words for one in game.ending(states)],
        "why": game.why_over(states[-1]),
    }


def reasons(game: Game, states: Sequence[Any], names: Sequence[str]) -> list[str]:
    """The reasons why a finished game is over, in sentences with these names of the players.

    [] where it goes on.
    """
    told = endings_json(game, states)
    if told is None:
        return []
    fates = [
        f"{said_of(name, words)}."
        for name, words in zip(names, told["players"], strict=True)
        if words is not None
    ]
    why = _PLAYER.sub(lambda found: _called(found, names), told["why"])
    return [*fates, *([why] if why else [])]


def outcome_words(game: Game, record: GameRecord, person: int | None) -> str:
    """How a game ended and why, as one says it to that person: "you lost: ..."; without one, player 0's result."""
    result = _result_words(game, record.result, person)
    return record.reason if record.reason.startswith(result) else f"{result}: {record.reason}"


def _result_words(game: Game, result: float, person: int | None) -> str:
    if person is None:
        return f"result {value_text(result, 'g')} for player 0"
    points = points_of(game, result)
    won = "a draw" if points == 0.5 else "you won" if (points == 1) == (person == 0) else "you lost"
    is_whole = points == 0.5 or result in (game.min_utility, game.max_utility)
    return won if is_whole else f"{won}, with {value_text(-result if person else result, '+g')} for you"


def _called(found: re.Match[str], names: Sequence[str]) -> str:
    """The name in the place of `player 1` or `player 1's`."""
    name, owns = names[int(found[1])], found[2] or ""
    if name != YOU:
        return name + owns
    return ("Your" if owns else YOU) if found.start() == 0 else ("your" if owns else "you")


# What a player is called in a heading, in words; its spec stands beside it in brackets.

_SPEC = re.compile(r"([a-z]\w*)(\(.*\))?", re.DOTALL)
_FILE = re.compile(r"[^\s(]*\.py\b")


def player_words(name: str) -> str:
    """A player in words: a search by its title, a Python file by its name, a program or a server by its kind."""
    if name.startswith("cmd:"):
        return "Program"
    if name.startswith(("http://", "https://")):
        return "Server"
    if file := _FILE.match(name):
        return PurePath(file[0]).stem
    found = _SPEC.fullmatch(name)
    if found is None:
        return name
    from ..algorithms import ALGORITHMS

    title = ALGORITHMS[found[1]].title if found[1] in ALGORITHMS else ""
    return title or found[1].replace("_", " ").capitalize()

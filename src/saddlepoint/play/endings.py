"""Why a game is over, in sentences for people."""

import re
from collections.abc import Sequence
from typing import Any

from ..game import TERMINAL, Game
from ..players.fault import Fault
from .turns import Turns

_PLAYER = re.compile(r"\bplayer ([01])\b('s)?")
YOU = "You"
"""The name of the person who is told; what is said of it stands in the second person."""
_SECOND_PERSON = {"it": "you", "its": "your", "was": "were", "has": "have", "is": "are", "does": "do"}
_OF_IT = re.compile(r"\b(?:(it) (was|has|is|does)|(its?))\b(?!')")


def told_apart(players: Sequence[str]) -> tuple[str, str]:
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


def fault_words(fault: Fault, turns: Turns) -> str:
    """What a player was at fault with, and in which turn of the game; a step that the game does not have counts as its end."""
    where = "before the game" if fault.step is None else f"in {turns.label(min(max(fault.step, 0), turns.steps))}"
    return f"{fault.text}, {where}"


def words_of_faults(faults: Sequence[Fault | None], turns: Turns) -> tuple[str, str]:
    """What each player was at fault with, in words; an empty text for one who was not."""
    a, b = ("" if fault is None else fault_words(fault, turns) for fault in faults)
    return a, b


def endings_json(game: Game, states: Sequence[Any]) -> dict[str, Any] | None:
    """What became of each player (`players`, words or None) and what else ended the game (`why`); None of a game that goes on.

    `states` are the positions as far as they are known.
    """
    if game.current_player(states[-1]) != TERMINAL:
        return None
    return {"players": [None if one is None else one.words for one in game.ending(states)], "why": game.why_over(states[-1])}


def reasons(game: Game, states: Sequence[Any], names: Sequence[str]) -> list[str]:
    """Why a finished game is over, sentence by sentence, with these names of the players; none of one that goes on."""
    told = endings_json(game, states)
    if told is None:
        return []
    fates = [f"{said_of(name, words)}." for name, words in zip(names, told["players"], strict=True) if words is not None]
    why = _PLAYER.sub(lambda found: _called(found, names), told["why"])
    return [*fates, *([why] if why else [])]


def _called(found: re.Match[str], names: Sequence[str]) -> str:
    """What stands for `player 1` or `player 1's`."""
    name, owns = names[int(found[1])], found[2] or ""
    if name != YOU:
        return name + owns
    return ("Your" if owns else YOU) if found.start() == 0 else ("your" if owns else "you")

"""A review in numbers: how well each player chose, and what the result was made of.

All of it follows one loss of each move, `ReviewedTurn.loss`. A move that an equilibrium strategy plays has none: in a zero-sum game it is a
best reply to every equilibrium strategy of the other.
"""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..algorithms.analysis import GameReview, ReviewedTurn
from ..game.base import CHANCE, SIMULTANEOUS, TERMINAL
from ..system.text import count_of, value_text
from .record import YOU, in_a_sentence
from .replay import FinishedGame

SIZES = (("small", 0.05), ("medium", 0.2), ("large", 0.4))
"""The sizes of mistakes, and the least loss of each as a share of the range of the game's results. A smaller loss is no mistake."""
_TOLD_APART = 0.01
"""Of that range: where the best and the worst move are closer, there was nothing to choose, and no move is judged."""
_LOW = 70.0
"""Percent: a lower accuracy looks like that of large mistakes."""
_ROUNDING = 1e-9
_NONE = "-"


class PlayerNumbers(NamedTuple):
    """The figures on a player's choices."""

    judged: int
    """The moves that were judged: those with another move that was clearly better or worse."""
    accuracy: float | None
    """Percent of what these moves could have given away that was kept: 100 x (1 - losses / largest possible losses), both summed over
    the judged moves. 100 is no loss, 0 is the worst move every time; None where nothing was judged. The measure is our own."""
    mean_loss: float | None
    """Of a judged move, in units of the game."""
    mistakes: tuple[int, ...]
    """How many of each size, in the order of `SIZES`."""


class Mistake(NamedTuple):
    """A move that gave something away."""

    turn: ReviewedTurn
    player: int
    size: str


class Balance(NamedTuple):
    """The parts of a result. All values are player 0's, in units of the game; the parts add up to the result."""

    parts: dict[str, float]
    """`start`: the value at the start. `choices 0`, `choices 1`: the losses by that player's moves. `luck`:
    the part that no move explains, which is what chance drew, how two moves at once met and, where not all is
    proven, what only later searches saw; not in a game in turn without chance of which all is proven.
    `ended`: what a fault or a resignation took.
    """
    result: float
    exact: bool
    """Whether all values are proven."""


def range_of(played: FinishedGame) -> float:
    """The range of the game's results."""
    return played.game.max_utility - played.game.min_utility


def numbers(played: FinishedGame, found: GameReview) -> tuple[PlayerNumbers, PlayerNumbers]:
    """The figures on each player's choices."""
    return _of_player(played, found, 0), _of_player(played, found, 1)


def _of_player(played: FinishedGame, found: GameReview, player: int) -> PlayerNumbers:
    judged = [turn for turn in found.turns if _is_judged(played, turn, player)]
    sizes = [_size(played, turn.loss[player]) for turn in judged]
    counted = tuple(sizes.count(name) for name, _ in SIZES)
    if not judged:
        return PlayerNumbers(0, None, None, counted)
    lost = math.fsum(turn.loss[player] for turn in judged)
    most = math.fsum(max(turn.losses[player].values()) for turn in judged)
    return PlayerNumbers(
        len(judged), min(100.0, max(0.0, 100 * (1 - lost / most))), lost / len(judged), counted
    )


def _is_judged(played: FinishedGame, turn: ReviewedTurn, player: int) -> bool:
    losses = turn.losses[player]
    return (
        len(losses) > 1
        and turn.played[player] in losses
        and max(losses.values()) >= _TOLD_APART * range_of(played)
    )


def _size(played: FinishedGame, loss: float) -> str:
    """The size of a mistake, by name; empty where it is none."""
    share = loss / range_of(played)
    return next((name for name, least in reversed(SIZES) if share >= least - _ROUNDING), "")


def mistakes(played: FinishedGame, found: GameReview) -> list[Mistake]:
    """The moves of both players that gave something away, in the order of the game: by the same losses as the accuracy."""
    return [
        Mistake(turn, player, size)
        for turn in found.turns
        for player in (0, 1)
        if (size := _size(played, turn.loss[player])) and _is_judged(played, turn, player)
    ]


def _proven_losses(played: FinishedGame, found: GameReview) -> set[int]:
    """The steps in which the losses are proven: each value of them is, or one player moved and those before and after the move are."""
    if found.without_chance:
        return set()
    game, proven = played.game, {one.step for one in found.standings if one.exact}

    def proves(turn: ReviewedTurn) -> bool:
        node, after = (
            game.current_player(played.states[turn.step]),
            game.current_player(played.states[turn.step + 1]),
        )
        return turn.exact or (
            node in (0, 1) and turn.step in proven and (after == TERMINAL or turn.step + 1 in proven)
        )

    return {turn.step for turn in found.turns if proves(turn)}


def is_proven(played: FinishedGame, found: GameReview) -> bool:
    """Whether all losses are proven by which moves are judged, and none is missing."""
    proven = _proven_losses(played, found)
    return not found.unjudged and all(
        turn.step in proven for turn in found.turns if any(len(losses) > 1 for losses in turn.losses)
    )


def balance(played: FinishedGame, found: GameReview) -> Balance | None:
    """The parts of the result; None where they are not known.

    That is so of a game that is not over, or of which no position was searched, or not the last one where a
    fault or a resignation ended it.
    """
    game = played.game
    is_over = game.current_player(played.states[-1]) == TERMINAL
    if played.result is None or not found.standings or (found.left is None and not is_over):
        return None
    last = played.result if found.left is None else found.left
    parts = {
        "start": found.standings[0].value,
        "choices 0": -math.fsum(turn.loss[0] for turn in found.turns),
        "choices 1": math.fsum(turn.loss[1] for turn in found.turns),
    }
    luck = last - math.fsum(parts.values())
    if has_luck(played) or abs(luck) > _ROUNDING * max(1.0, range_of(played)):
        parts["luck"] = luck
    if found.left is not None:
        parts["ended"] = played.result - last
    exact = (
        all(one.exact for one in found.standings)
        and not found.unjudged
        and not found.without_chance
        and len(_proven_losses(played, found)) == len(found.turns)
        and (found.left is None or found.standings[-1].step >= len(played.actions))
    )
    return Balance(parts, played.result, exact)


def has_luck(played: FinishedGame) -> bool:
    """Whether chance moved in the game, or both players at once."""
    return any(played.game.current_player(state) in (CHANCE, SIMULTANEOUS) for state in played.states[:-1])


def rounded(values: Sequence[float], whole: float) -> list[float]:
    """Values as they are shown, to hundredths, that add up to the whole as it is shown: the least that is needed is rounded the other
    way."""
    shown = [round(100 * value) for value in values]
    missing = round(100 * whole) - sum(shown)
    sign = 1 if missing > 0 else -1
    order = sorted(range(len(shown)), key=lambda place: sign * (shown[place] - 100 * values[place]))
    for place in order[: abs(missing)]:
        shown[place] += sign
    return [one / 100 for one in shown]


NumberRow = tuple[str, str, str]
"""A line of a table: what is counted, and the two players' numbers in words."""


def number_rows(played: FinishedGame, found: GameReview) -> list[NumberRow]:
    """The rows of figures on each player's choices.

    No number for a player without a judged move, [] without any.
    """
    both = numbers(played, found)
    if not any(one.judged for one in both):
        return []
    columns = [
        [
            _NONE if one.accuracy is None else _percent(one.accuracy),
            str(one.judged),
            *(str(count) if one.judged else _NONE for count in one.mistakes),
            _NONE if one.mean_loss is None else value_text(one.mean_loss, ".2f"),
        ]
        for one in both
    ]
    labels = ["accuracy, of what was at stake", "moves judged"]
    labels += [f"{name} mistakes" for name, _ in SIZES] + ["mean loss of a move"]
    return list(zip(labels, columns[0], columns[1], strict=True))


def _percent(value: float) -> str:
    """Rounded, but never to 0 or 100 what is between them."""
    is_whole = value <= _ROUNDING or value >= 100 - _ROUNDING
    return f"{value if is_whole else min(99, max(1, round(value))):.0f} %"


def balance_rows(played: FinishedGame, one: Balance | None) -> list[NumberRow]:
    """The parts of the result as rows of numbers, which add up as they are shown.

    [] where they are not known.
    """
    if one is None:
        return []
    a, b = (in_a_sentence(name) for name in played.names)
    seen = "what only later searches saw"
    labels = {
        "start": f"worth in {played.turns.label(played.since)}" if played.since else "worth at the start",
        "choices 0": f"what {a} gave away",
        "choices 1": f"what {b} gave away",
        "luck": seen if not has_luck(played) else "luck" if one.exact else f"luck, and {seen}",
        "ended": "the resignation" if played.given_up else "the fault",
    }
    shown = _shown(one) | {"the result": round(one.result, 2)}
    return [(labels.get(part, part), _signed(value), _signed(-value)) for part, value in shown.items()]


def _shown(one: Balance) -> dict[str, float]:
    return dict(zip(one.parts, rounded(list(one.parts.values()), one.result), strict=True))


def _signed(value: float) -> str:
    """A value with its sign; nothing has none."""
    return value_text(value) if value else "0.00"


def balance_words(played: FinishedGame, one: Balance | None) -> list[str]:
    """The effects of luck and choices on the result, in a sentence or two for each player."""
    if one is None:
        return []
    about = "" if one.exact else "about "
    parts = _shown(one)
    luck = parts.get("luck", 0.0)
    sentences = [_luck_words(played.names, luck, about)] if has_luck(played) else []
    for player in [1, 0] if played.names[1] == YOU else [0, 1]:
        name, cost = played.names[player], abs(parts[f"choices {player}"])
        own = "Your own choices" if name == YOU else f"The choices of {name}"
        nothing = "nothing" if one.exact else "nothing that the searches saw"
        price = about + value_text(cost, ".2f") if cost else nothing
        sentences.append(f"{own} cost {price}.")
    if not has_luck(played) and abs(luck) >= SIZES[0][1] * range_of(played):
        change = value_text(abs(luck), ".2f")
        sentences.append(f"Of a change of about {change} the searches cannot tell whose choice made it.")
    return sentences


def _luck_words(names: Sequence[str], luck: float, about: str) -> str:
    """A sentence on the player that luck favoured, and by how much; `You` where a person reads."""
    if not luck:
        return f"Luck changed nothing in the end{' that the searches saw' if about else ''}."
    lucky = 0 if luck > 0 else 1
    amount = about + value_text(abs(luck), ".2f")
    if YOU in names:
        return f"Luck brought you {amount}." if names[lucky] == YOU else f"Luck took {amount} from you."
    return f"Luck brought {names[lucky]} {amount}, and took it from {names[1 - lucky]}."


def judged_words(played: FinishedGame, found: GameReview) -> list[str]:
    """Sentences beside the figures: the number of judged moves and the quality of the search.

    Or that none was judged.
    """
    a, b = numbers(played, found)
    more = f"{count_of(found.unjudged, 'more position')}"
    left_out = [f"The moves in {more} were not looked at."] if found.unjudged else []
    if not a.judged and not b.judged:
        why = ": in every position the moves were worth the same, or there was only one"
        return [f"No move was judged{'' if left_out else why}.", *left_out]
    sentences = [
        "No move of yours was judged." if name == YOU else f"No move of {name} was judged."
        for name, one in zip(played.names, (a, b), strict=True)
        if not one.judged
    ]
    stakes = [_stake(name, one) for name, one in zip(played.names, (a, b), strict=True)]
    return [*sentences, *[one for one in stakes if one], *left_out, *_good_as(played, found)]


def _stake(name: str, one: PlayerNumbers) -> str:
    """Why a low accuracy stands beside small mistakes alone: little was at stake; empty where that is not so."""
    if one.accuracy is None or one.mean_loss is None or one.accuracy >= _LOW or any(one.mistakes[1:]):
        return ""
    lost = one.mean_loss * one.judged
    most = lost / (1 - one.accuracy / 100)
    return (
        f"Little was at stake for {in_a_sentence(name)}: the judged moves gave away {value_text(lost, '.2f')} "
        f"of at most {value_text(most, '.2f')}."
    )


def _good_as(played: FinishedGame, found: GameReview) -> list[str]:
    """A sentence on the quality of the figures; [] where all values behind them are proven."""
    open_ = [
        turn.depth
        for turn in found.turns
        if not turn.exact and any(_is_judged(played, turn, player) for player in (0, 1))
    ]
    quiet = " in which chance does nothing" if found.without_chance else ""
    if open_:
        return [f"These numbers are as good as searches to depth {min(open_)}{quiet}."]
    return [f"These numbers are proven for the game{quiet}."] if quiet else []


def numbers_json(played: FinishedGame, found: GameReview) -> dict[str, Any]:
    """The numbers, the balance and the mistakes as plain data."""
    one, proven = balance(played, found), _proven_losses(played, found)
    return {
        "numbers": {
            "players": [
                {
                    "judged": own.judged,
                    "accuracy": own.accuracy,
                    "mean_loss": own.mean_loss,
                    "mistakes": {name: count for (name, _), count in zip(SIZES, own.mistakes, strict=True)},
                }
                for own in numbers(played, found)
            ],
            "sizes": {name: least * range_of(played) for name, least in SIZES},
            "rows": [list(row) for row in number_rows(played, found)],
            "says": judged_words(played, found),
        },
        "balance": None
        if one is None
        else {
            "parts": one.parts,
            "result": one.result,
            "exact": one.exact,
            "rows": [list(row) for row in balance_rows(played, one)],
            "says": balance_words(played, one),
        },
        "mistakes": [
            _mistake_json(played, one, one.turn.step in proven, not found.without_chance)
            for one in mistakes(played, found)
        ],
    }


def _mistake_json(played: FinishedGame, mistake: Mistake, is_proven: bool, is_all: bool) -> dict[str, Any]:
    """`is_all`: whether what is proven is proven of the game with its chance."""
    turn, player, state = mistake.turn, mistake.player, played.states[mistake.turn.step]
    mixture = turn.mixtures[player]
    return {
        "step": turn.step,
        "turn": played.turns.number(turn.step),
        "label": played.turns.label(turn.step),
        "player": player,
        "move": played.move(turn.step, player),
        "loss": turn.loss[player],
        "size": mistake.size,
        "exact": is_proven,
        "choices_exact": turn.exact and is_all,
        "choices": [
            {
                "action": action,
                "name": played.game.action_to_string(state, player, action),
                "loss": loss,
                "share": mixture.get(action, 0.0),
            }
            for action, loss in turn.losses[player].items()
        ],
    }

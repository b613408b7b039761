"""Winning sets: the places of a board with which a player wins, such as five in a row. They are found by asking the rules.

The term is of positional games (Hales and Jewett 1963; Beck, Combinatorial Games: Tic-Tac-Toe Theory, 2008). How many sets a player can
still complete, and how much of each is missing, says who is ahead (Erdos and Selfridge 1973). General game players look for the same in
a game's goal (Schiffel and Thielscher, Fluxplayer, 2007).
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from ...compiled import hash_of_words, jit, mix, put_words, run
from ...compiled.endless_loops import Patience, TooLong
from ...compiled.states import as_machine_words
from ...compiled.words import numbers_of, rebuilt, words_of_state
from ...game.base import TERMINAL, Game
from .file import LONGEST_SET, MOST_SETS, NO_SET, SET_LANES, TAKEN, Coding

_SHORTEST = 3
"""Places of a set. Fewer say nothing that a network does not see by itself."""
_MOST_VALUES = 8
"""Of an item of a tuple that is a place of a board."""
_GAMES, _ASKED, _SECONDS = 4_000, 3_000_000, 2.0
"""At most: random games, numbers in the positions that the rules are asked about, and seconds of one such question."""
_EARLY, _WON = 200, 0.05
"""Of the first random games, the share that must be won by the last move."""
_TRIED, _LISTED = 20, 1 / 3
"""Of the first wins that are looked at, the share that sets must explain."""
_LAST, _KNOWN = 200, 1 / 3
"""Of the last wins, the share that sets must explain which were known before."""

Words = list[int]
"""A position, as the words of its state."""


class Place(NamedTuple):
    """A place of a board: an item of a tuple in the state, or a bit of an np.uint64."""

    word: int
    bit: int | None

    def value(self, position: Words) -> int:
        word = position[self.word]
        if self.bit is not None:
            return word >> self.bit & 1
        return word - (1 << 64) if word >> 63 else word

    def put(self, position: Words, value: int) -> None:
        if self.bit is None:
            position[self.word] = value & ((1 << 64) - 1)
        else:
            position[self.word] = position[self.word] & ~(1 << self.bit) | value << self.bit


class WinningSet(NamedTuple):
    """A player who has this value at all these places wins."""

    player: int
    value: int
    places: frozenset[Place]


class Boards:
    """The boards in a game's state: tuples of numbers, and sets of bits.

    A place has few values, and is empty where it holds what it holds in the first position.
    """

    def __init__(self, game: Game, coding: Coding) -> None:
        self.start = as_machine_words(game.initial_state())
        self.first_words = words_of_state(self.start)
        self._values = {
            int(word): range(low, low + count)
            for word, low, count, _ in coding.choices.tolist()
            if count <= _MOST_VALUES
        }
        self._masks = coding.masks.tolist()
        self.boards = [board for board in self._found() if any(map(self.values, board))]

    def _found(self) -> Iterator[list[Place]]:
        word = 0
        for field in self.start:
            if isinstance(field, tuple):
                count = sum(1 for _ in numbers_of(field))
                yield [Place(word + k, None) for k in range(count)]
                word += count
            else:
                if type(field) is np.uint64:
                    yield [Place(word, bit) for bit in range(64)]
                word += 1

    def values(self, place: Place) -> Sequence[int]:
        """What it may hold; nothing where that never changes."""
        if place.bit is None:
            return self._values.get(place.word, ())
        return range(2) if self._masks[place.word] >> place.bit & 1 else ()

    def can_hold(self, one: WinningSet) -> bool:
        """Whether the set's value is known at all its places."""
        return all(one.value in self.values(place) for place in one.places)

    def empty(self, place: Place) -> int:
        return place.value(self.first_words)

    def number_of(self, place: Place) -> int:
        """On which board it is."""
        return next(number for number, board in enumerate(self.boards) if place in board)

    def others(self, place: Place, value: int) -> Iterator[tuple[Place, int]]:
        """Who else may have a place than who has `value` there: another value, or a value at the same place of another such board."""
        yield from ((place, v) for v in self.values(place) if v not in (value, self.empty(place)))
        own = self.boards[self.number_of(place)]
        for board in self.boards:
            if board is not own and len(board) == len(own):
                twin = board[own.index(place)]
                yield from ((twin, v) for v in self.values(twin) if v != self.empty(twin))


@jit
def _last_choice(game, state, seed, actions, out):
    """Write the last position of a random game before its end; returns who moved there, the action, and the result."""
    drawn, mover, action = mix(hash_of_words(state) + np.uint64(seed)), np.int64(TERMINAL), np.int64(0)
    while True:
        node = np.int64(game.current_player(state))
        if node == TERMINAL:
            return mover, action, float(game.returns(state))
        mover, drawn = node, mix(drawn + np.uint64(0x9E3779B97F4A7C15))
        action = np.int64(actions[np.int64(drawn % np.uint64(game.legal_actions(state, node, actions)))])
        put_words(state, out)
        state = game.next_state(state, action)


def find_winning_sets(game: Game, boards: Boards, seed: int) -> list[WinningSet]:
    """The winning sets of a game in turn without chance; none where few sets do not explain the wins of random games.

    The rules are asked, as plain Python, about positions of such games from which pieces were taken.
    """
    if not game.turn_based or game.has_chance or not boards.boards:
        return []
    try:
        with Patience(_SECONDS) as patience:
            return _Finder(game, boards, patience).found(seed)
    except TooLong:
        return []


class _Finder:
    def __init__(self, game: Game, boards: Boards, patience: Patience) -> None:
        self._game, self.boards, self._patience = game, boards, patience
        self._middle = (game.max_utility + game.min_utility) / 2.0
        self._actions, self._asked = np.zeros(game.max_actions, np.int64), 0

    def found(self, seed: int) -> list[WinningSet]:
        sets: dict[WinningSet, None] = {}
        words, known, tried = np.zeros(len(self.boards.first_words), np.uint64), deque[bool](maxlen=_LAST), 0
        for number in range(_GAMES):
            player, action, result = run(
                _last_choice, self._game, self.boards.start, seed + number, self._actions, words
            )
            if number == _EARLY and len(known) < _WON * _EARLY:
                return []
            if not self._is_won(float(result), player):
                continue
            win = _Win(self, words.tolist(), int(action), int(player))
            known.append(any(win.is_by(one) for one in sets))
            if not known[-1]:
                tried += 1
                if (found := win.by()) is not None:
                    sets[found] = None
                if tried >= _TRIED and len(sets) < _LISTED * tried:
                    return []
            if self._asked >= _ASKED or len(sets) >= MOST_SETS or (len(known) == _LAST and all(known)):
                break
        return minimal(sets) if known and sum(known) >= _KNOWN * len(known) else []

    def _is_won(self, result: float, player: int) -> bool:
        return result > self._middle if player == 0 else result < self._middle

    def won(self, words: Words, action: int, player: int) -> Any:
        """The position after the action, with which the player wins; else None, also where the rules refuse the position."""
        self._asked += len(words)
        state = rebuilt(self.boards.start, iter(words))
        rules, ask = self._game.plain, self._patience.call
        try:
            if ask(rules.current_player, state) != player:
                return None
            if action not in self._actions[: ask(rules.legal_actions, state, player, self._actions)]:
                return None
            after = as_machine_words(ask(rules.next_state, state, np.int64(action)))
            if ask(rules.current_player, after) == TERMINAL and self._is_won(
                float(ask(rules.returns, after)), player
            ):
                return after
        except Exception:  # nobody promises that rules answer for positions that do not come about
            pass
        return None


class _Win:
    """A position, and an action with which the player, who is to move, wins at once."""

    def __init__(self, finder: _Finder, position: Words, action: int, player: int) -> None:
        self._finder, self._boards = finder, finder.boards
        self._position, self._action, self._player = position, action, player
        self._taken = [
            [place for place in board if place.value(position) != self._boards.empty(place)]
            for board in self._boards.boards
        ]

    def _won(self, words: Words) -> Any:
        return self._finder.won(words, self._action, self._player)

    def _with_only(self, kept: Iterable[Place], board: int) -> Words:
        """The position with no other pieces on that board."""
        found = list(self._position)
        for place in set(self._taken[board]).difference(kept):
            place.put(found, self._boards.empty(place))
        return found

    def is_by(self, one: WinningSet) -> bool:
        """Whether it is the set that wins."""
        if one.player != self._player:
            return False
        missing = [place for place in one.places if place.value(self._position) != one.value]
        if len(missing) > 1 or any(
            place.value(self._position) != self._boards.empty(place) for place in missing
        ):
            return False
        board = self._boards.number_of(next(iter(one.places)))
        return self._won(self._with_only(one.places, board)) is not None

    def by(self) -> WinningSet | None:
        """The set that wins; None where it is won by anything else."""
        found = filter(None, map(self._on, range(len(self._taken))))
        return next((one for one in found if self._boards.can_hold(one)), None)

    def _on(self, number: int) -> WinningSet | None:
        """The set on this board that wins, whatever is on the others."""
        boards, board, position = self._boards, self._boards.boards[number], self._position
        needed = _smallest(
            lambda kept: self._won(self._with_only(kept, number)) is not None, self._taken[number]
        )
        bare = self._with_only(needed, number)
        won = self._won(bare)
        if won is None or not needed:
            return None

        def wins_without(place: Place, value: int) -> Iterator[bool]:
            """Whether the action still wins where the place is another's, for each other."""
            for other, other_value in boards.others(place, value):
                words = list(bare)
                place.put(words, boards.empty(place))
                other.put(words, other_value)
                yield self._won(words) is not None

        # What may as well be the other's is only in the way, such as the discs below the last one.
        own = [place for place in needed if not any(wins_without(place, place.value(position)))]
        values = {place.value(position) for place in own}
        if len(values) != 1 or not _SHORTEST <= len(own) + 1 <= LONGEST_SET:
            return None
        (value,) = values
        after = words_of_state(won)
        free = [place for place in board if boards.values(place) and place not in needed]
        changed = [place for place in free if place.value(after) != place.value(bare)]
        for some in (changed, free):  # the action may have moved what it placed
            last = [place for place in some if not all(wins_without(place, value))]
            if len(last) == 1:
                break
        else:  # the rules do not look whether it is free
            last = [place for place in changed if place.value(after) == value]
        return WinningSet(self._player, value, frozenset((*own, *last))) if len(last) == 1 else None


def _smallest(holds: Callable[[list[Place]], bool], places: list[Place]) -> list[Place]:
    """Places of which none can be left out, such that `holds` (QuickXplain, Junker 2004). All together hold."""

    def more(base: list[Place], is_new: bool, some: list[Place]) -> list[Place]:
        """Those of `some` that are needed besides `base`."""
        if is_new and holds(base):
            return []
        if len(some) == 1:
            return some
        half = len(some) // 2
        second = more(base + some[:half], True, some[half:])
        return more(base + second, bool(second), some[:half]) + second

    return [] if not places or holds([]) else more([], False, places)


def minimal(sets: Iterable[WinningSet]) -> list[WinningSet]:
    """The sets that contain no other one: who has all places of a smaller one has won already, whatever the last action was."""
    found = list[WinningSet]()
    for one in sorted(sets, key=lambda one: len(one.places)):
        if not any((one.player, one.value) == other[:2] and other.places < one.places for other in found):
            found.append(one)
    return found


def with_sets(coding: Coding, boards: Boards, sets: Iterable[WinningSet]) -> Coding:
    """The coding with these sets: `set_rows` and `set_starts`."""
    first = {int(word): start - low for word, low, _, start in coding.choices.tolist()}

    def row(place: Place, value: int) -> int:
        if place.bit is not None:
            return int(coding.bit_rows[0, place.word, place.bit])
        return int(coding.choice_rows[0, first[place.word] + value])

    of = [[one for one in sets if one.player == player] for player in (0, 1)]
    half = -(-max(map(len, of)) // SET_LANES) * SET_LANES
    rows, starts = np.zeros((coding.rows, 2 * half), np.int8), np.full(2 * half, NO_SET, np.int8)
    for player, own in enumerate(of):
        for column, one in enumerate(own, player * half):
            starts[column] = -len(one.places)
            for place in one.places:
                rows[row(place, one.value), column] = 1
                for other, value in boards.others(place, one.value):
                    rows[row(other, value), column] = TAKEN
    return coding._replace(set_rows=rows, set_starts=starts)

"""Tron-41 as a game: positions, options, kernels."""

import math
import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ..interface import (
    CHANCE,
    TERMINAL,
    Ending,
    Game,
    Grid,
    IllegalActionError,
    Picture,
    Ranges,
    Symmetry,
    board_of,
    count,
    has_bit,
    int_of,
    kernel,
    mix,
    neighbour,
    parameter,
    with_bit,
    words_of_board,
)
from .rules import (
    BOMB_REACH,
    FAST_MOVES,
    MOST_TRAPS,
    TRAP_CELLS,
    State,
    candidates_of,
    choices,
    chosen_cells,
    square,
    survives,
    symmetries,
    trap_candidates,
    without_bit,
)
from .text import (
    MAPS,
    Layout,
    board_rows,
    check_status,
    header_line,
    picture_of,
    read_field,
    read_layout,
    read_position,
)

ACTIONS = "URDL"
"""The letters of the actions 0 to 3: up, right, down, left."""

STARTS = ("map", "random")
_SAMPLED_STARTS = 256


@dataclass(frozen=True)
class Tron41(Game):
    """Tron-41 on a map, with the course's rules of 2018 to 2021: one player moves at a time, who crashes loses.

    `map` is one of the course's maps, the path of a map file, or a map written out in lines. `start` is "map" (the
    players stand where the map says) or "random" (player 0 on a cell drawn uniformly, player 1 opposite). Actions are
    0 U, 1 R, 2 D, 3 L; all four may always be played. Player 0 is the board's `1`, player 1 its `2`.

    Games on maps of one size share their compiled code.

    >>> from saddlepoint import Tron41
    >>> game = Tron41()
    >>> state = game.initial_state()
    >>> [game.action_to_string(state, 0, action) for action in game.legal_actions(state, 0)]
    ['U', 'R', 'D', 'L']
    """

    map: str = parameter("joust")
    start: str = parameter("map")

    name: ClassVar[str] = "tron41"
    title: ClassVar[str] = "Tron-41"
    summary: ClassVar[str] = (
        "trails on a walled map, in turn, with traps, speed, bombs and armor; who crashes loses"
    )
    group: ClassVar[str] = "Duels"
    how_to_play: ClassVar[Sequence[str]] = (
        "You move in turn, one cell up, right, down or left; the cell that you leave becomes a barrier.",
        "Who moves into a wall, a barrier or the other player loses.",
        "Armor (A, in text @) takes you through one barrier. A bomb (B, in text !) clears the barriers around you.",
        "A trap (T, in text *) puts up to three barriers around the other player.",
        "Speed (S, in text ^) gives you five moves in a row after the other's next one.",
    )
    ranges: ClassVar[Ranges] = {
        "map": MAPS,
        "start": ("map", "random"),
    }
    max_actions: ClassVar[int] = MOST_TRAPS

    def __post_init__(self) -> None:
        self.check_parameters(start=STARTS)
        layout = read_layout(self.map)
        self.refuse(
            (
                self.start == "random" and not layout.start_cells(),
                f"the map {self.map!r} has no two empty cells opposite each other to start from",
            )
        )
        object.__setattr__(self, "_layout", layout)

    @property
    def layout(self) -> Layout:
        """The map."""
        return self.__dict__["_layout"]

    @property
    def grid(self) -> Grid:
        """The geometry of the cells inside the border."""
        return Grid(self.layout.width, self.layout.height)

    @property
    def max_depth(self) -> int:
        """The most steps a game can last: every move takes a cell, or an armor; a bomb gives up to 81 back."""
        layout = self.layout
        return layout.width * layout.height + 81 * layout.powerups + 1

    # -- the start -----------------------------------------------------------------------------------------------

    def initial_state(self, seed: int | None = None, first: int = 0) -> State:
        """A start: power-ups (and with start="random" the players' cells) drawn from `seed`; `first` moves first.

        Without a seed it is always the same one.
        """
        self.refuse((first not in (0, 1), f"the player who moves first is 0 or 1, not {first!r}"))
        draw = random.Random(f"tron41 {seed}")
        return self.from_field(self.layout.drawn(draw, self.start == "random"), turn=first)

    def starts(self) -> list[State]:
        """The start where the map leaves nothing to chance; else a sample of 256, always the same."""
        if self.start == "map" and self.layout.count("?") == 0:
            return [self.initial_state()]
        return [self.initial_state(seed) for seed in range(_SAMPLED_STARTS)]

    # -- the rules -----------------------------------------------------------------------------------------------

    @kernel
    def current_player(self, state):
        if state.head0 < 0 or state.head1 < 0:
            return TERMINAL
        return CHANCE if state.trapped >= 0 else state.turn

    @kernel
    def legal_actions(self, state, player, out):
        for direction in range(4):
            out[direction] = direction
        return 4

    @kernel
    def search_actions(self, state, player, out):
        """The moves that do not crash; U where all do, for a crash loses at once and the rest may not."""
        return self.steps(state, player, self.armor(state, player) > 0, out)

    @kernel
    def steps(self, state, player, armored, out):
        """The moves to a cell without a wall, a player or (unless `armored`) a barrier; U where there is none."""
        head = state.head0 if player == 0 else state.head1
        found = 0
        for direction in range(4):
            if survives(self.grid, state, head, direction, armored):
                out[found] = direction
                found += 1
        if found == 0:
            out[0] = 0
            found = 1
        return found

    @kernel
    def chance_outcomes(self, state, out, probabilities):
        outcomes = self.trap_choices(state)
        for k in range(outcomes):
            out[k] = k
            probabilities[k] = 1.0 / outcomes
        return outcomes

    @kernel
    def next_state(self, state, action):
        if state.trapped >= 0:
            return self.with_trap(state, action)
        mine = state.turn == 0
        cell, other = (state.head0, state.head1) if mine else (state.head1, state.head0)
        armor, speed = (state.armor0, state.speed0) if mine else (state.armor1, state.speed1)
        # What the counter was before the move decides who goes on.
        turn = state.turn if speed > 0 else 1 - state.turn
        used = 1 if speed > 0 else 0
        speed -= used
        blocked, barriers = state.blocked, with_bit(state.barriers, cell)
        traps, speeds, bombs, armors = state.traps, state.speeds, state.bombs, state.armors
        trapped = -1
        there = neighbour(self.grid, cell, action)
        if there >= 0 and has_bit(blocked, there):
            if armor > 0 and has_bit(state.barriers, there):
                armor = 0
                barriers = without_bit(self.grid, barriers, there)
            else:
                there = -1
        elif there >= 0:
            blocked = with_bit(blocked, there)
            if has_bit(armors, there):
                armors = without_bit(self.grid, armors, there)
                armor = 1
            elif has_bit(speeds, there):
                speeds = without_bit(self.grid, speeds, there)
                speed = FAST_MOVES - used
            elif has_bit(bombs, there):
                bombs = without_bit(self.grid, bombs, there)
                cleared = square(self.grid, there, BOMB_REACH) & board_of(self.grid, barriers)
                barriers = words_of_board(self.grid, board_of(self.grid, barriers) & ~cleared)
                blocked = words_of_board(self.grid, board_of(self.grid, blocked) & ~cleared)
            elif has_bit(traps, there):
                traps = without_bit(self.grid, traps, there)
                ring = trap_candidates(self.grid, blocked, traps, speeds, bombs, armors, other)
                if count(ring) > TRAP_CELLS:
                    trapped = 1 - state.turn
                else:  # nothing is left to chance
                    barriers = words_of_board(self.grid, board_of(self.grid, barriers) | ring)
                    blocked = words_of_board(self.grid, board_of(self.grid, blocked) | ring)
        head0, head1 = (there, other) if mine else (other, there)
        armor0, armor1 = (armor, state.armor1) if mine else (state.armor0, armor)
        speed0, speed1 = (speed, state.speed1) if mine else (state.speed0, speed)
        return State(
            blocked,
            barriers,
            traps,
            speeds,
            bombs,
            armors,
            head0,
            head1,
            turn,
            armor0,
            armor1,
            speed0,
            speed1,
            trapped,
        )

    @kernel
    def with_trap(self, state, outcome):
        """The position after chance has chosen the trap's cells."""
        chosen = chosen_cells(self.grid, candidates_of(self.grid, state), outcome)
        return State(
            words_of_board(self.grid, board_of(self.grid, state.blocked) | chosen),
            words_of_board(self.grid, board_of(self.grid, state.barriers) | chosen),
            state.traps,
            state.speeds,
            state.bombs,
            state.armors,
            state.head0,
            state.head1,
            state.turn,
            state.armor0,
            state.armor1,
            state.speed0,
            state.speed1,
            -1,
        )

    @kernel
    def with_turn(self, state, player):
        """The position with the turn the player's and no trap pending: for a plan without the other's moves."""
        return State(
            state.blocked,
            state.barriers,
            state.traps,
            state.speeds,
            state.bombs,
            state.armors,
            state.head0,
            state.head1,
            player,
            state.armor0,
            state.armor1,
            state.speed0,
            state.speed1,
            -1,
        )

    @kernel
    def returns(self, state):
        return -1.0 if state.head0 < 0 else 1.0

    @kernel
    def hash(self, state):
        """All fields; barriers follow from the blocked cells, for walls do not change."""
        numbers = (((state.head0 << 10 | state.head1) << 1 | state.turn) << 2 | (state.trapped + 1)) << 8
        numbers |= (state.speed0 << 3 | state.speed1) << 2 | state.armor0 << 1 | state.armor1
        salt = np.uint64(0x9E3779B97F4A7C15)
        key = mix(np.uint64(numbers) ^ salt)
        # The words are mixed beside each other, not one after the other: that is several times as fast.
        for words in (state.blocked, state.traps, state.speeds, state.bombs, state.armors):
            for word in words:
                salt += np.uint64(0x9E3779B97F4A7C15)
                key ^= mix(word ^ salt)
        return mix(key)

    # -- what the evaluators of territory need ---------------------------------------------------------------------

    @kernel
    def walls(self, state):
        """The words of blocked cells, heads and outside included."""
        return state.blocked

    @kernel
    def head(self, state, player):
        """The cell of a player's head."""
        return state.head0 if player == 0 else state.head1

    @kernel
    def powerups(self, state):
        """The words of the cells with a power-up of any kind."""
        grid = self.grid
        one = board_of(grid, state.traps) | board_of(grid, state.speeds)
        return words_of_board(grid, one | board_of(grid, state.bombs) | board_of(grid, state.armors))

    @kernel
    def armor(self, state, player):
        """1 where the player has armor, else 0."""
        return state.armor0 if player == 0 else state.armor1

    @kernel
    def speed(self, state, player):
        """The number of the player's moves that will keep the turn, 0 to 4."""
        return state.speed0 if player == 0 else state.speed1

    @kernel
    def trap_choices(self, state):
        """The number of outcomes of the pending trap."""
        return choices(count(candidates_of(self.grid, state)))

    @kernel
    def trap_room(self, state):
        """The words of the cells that the pending trap may take."""
        return words_of_board(self.grid, candidates_of(self.grid, state))

    @kernel
    def trap_board(self, state, outcome):
        """The words of the cells that an outcome of the pending trap blocks."""
        return words_of_board(self.grid, chosen_cells(self.grid, candidates_of(self.grid, state), outcome))

    # -- for Python ------------------------------------------------------------------------------------------------

    def position(self, state: State, player: int) -> tuple[int, int] | None:
        """(row, column) of a player on the map, None after a crash."""
        cell = int(self.head(state, player))
        if cell < 0:
            return None
        x, y = self.grid.position(cell)
        return y + 1, x + 1

    def safe_actions(self, state: State, player: int, armor: bool = False) -> list[int]:
        """The actions whose target is no wall, barrier or player; with `armor` barriers count as safe."""
        return [action for action in range(4) if self.is_safe(state, player, action, armor)]

    @kernel
    def is_safe(self, state, player, action, armor):
        """Whether the action's target is no wall, no player, and (unless `armor`) no barrier."""
        head = state.head0 if player == 0 else state.head1
        return survives(self.grid, state, head, action, armor)

    @kernel
    def ways_on(self, state, player, action):
        """The safe continuations of a safe action's target, as the board is before the move."""
        there = neighbour(self.grid, self.head(state, player), action)
        found = 0
        for direction in range(4):
            found += survives(self.grid, state, there, direction, False)
        return found

    def ending(self, states: Sequence[State]) -> tuple[Ending | None, Ending | None]:
        if len(states) < 2:
            return None, None
        before, end = states[-2:]
        a, b = (
            Ending("was shut in: no way on was left" if not self.safe_actions(before, player) else "crashed")
            if head < 0
            else None
            for player, head in enumerate((end.head0, end.head1))
        )
        return a, b

    def trap_cells(self, state: State, outcome: int) -> list[tuple[int, int]]:
        """The (row, column) of the cells that an outcome of the pending trap blocks."""
        return self._cells(self.trap_board(state, outcome))

    def trap_candidates(self, state: State) -> list[tuple[int, int]]:
        """The (row, column) of the cells from which the pending trap takes three."""
        return self._cells(self.trap_room(state))

    def trap_outcome(self, state: State, cells: Iterable[tuple[int, int]]) -> int:
        """The outcome of the pending trap that blocks these cells, given as (row, column)."""
        candidates, wanted = self.trap_candidates(state), sorted(set(cells))
        if len(wanted) != TRAP_CELLS or not set(wanted) <= set(candidates):
            raise IllegalActionError(f"no trap can fall on {wanted} here\n{self.render(state)}")
        return sum(math.comb(candidates.index(cell), k) for k, cell in enumerate(wanted, 1))

    def _cells(self, words: tuple[int, ...]) -> list[tuple[int, int]]:
        bits = int_of(words)
        places = (self.grid.position(cell) for cell in range(bits.bit_length()) if bits >> cell & 1)
        return [(y + 1, x + 1) for x, y in places]

    def symmetries(self, state: State) -> list[Symmetry]:
        """The map's own reflections and turns, also with the players exchanged."""
        return symmetries(self.grid, state, self._trap_boards)

    def _trap_boards(self, state: State) -> list[int]:
        """The cells that each outcome of the pending trap blocks; none where no trap is pending."""
        if self.current_player(state) != CHANCE:
            return []
        return [int_of(self.trap_board(state, outcome)) for outcome in range(int(self.trap_choices(state)))]

    # -- text ----------------------------------------------------------------------------------------------------

    def action_to_string(self, state: State, player: int, action: int) -> str:
        """U, R, D or L; for an outcome of chance the trap's cells, as `3,4 5,4 5,5`."""
        if self.current_player(state) == CHANCE:
            return " ".join(f"{row},{column}" for row, column in self.trap_cells(state, action))
        return ACTIONS[action]

    def outcome_to_string(self, state: State, outcome: int) -> str:
        """The cells, as row and column, that a trap blocks: `barriers 3,4 5,4 5,5`."""
        return f"barriers {self.action_to_string(state, CHANCE, outcome)}"

    def string_to_action(self, state: State, player: int, text: str) -> int:
        word = text.strip().upper()
        if self.current_player(state) == CHANCE:
            if not re.fullmatch(r"\d+,\d+( \d+,\d+){2}", word):
                raise IllegalActionError(f"a trap is three cells such as '3,4 5,4 5,5', not {text!r}")
            return self.trap_outcome(
                state, [(int(r), int(c)) for r, c in (cell.split(",") for cell in word.split())]
            )
        if len(word) == 1 and word in ACTIONS:
            return ACTIONS.index(word)
        raise self.illegal(state, player, text)

    def field(self, state: State) -> list[str]:
        """The board as the course's code prints it, one string a row."""
        return board_rows(self.grid, state)

    def from_field(
        self,
        rows: Sequence[str],
        turn: int = 0,
        armor: Sequence[int] = (0, 0),
        speed: Sequence[int] = (0, 0),
        trapped: int = -1,
    ) -> State:
        """The position of a board of this map; a player who is not on it has crashed. Raises GameError."""
        check_status(turn, armor, speed, trapped)
        boards = read_field(self.grid, self.layout, rows)
        state = State(
            **boards,
            turn=turn,
            armor0=armor[0],
            armor1=armor[1],
            speed0=speed[0],
            speed1=speed[1],
            trapped=trapped,
        )
        self.refuse(
            (
                state.head0 < 0 and state.head1 < 0,
                "the position needs a player, '1' or '2'; only one of them can have crashed",
            ),
            (
                trapped >= 0 and (min(state.head0, state.head1) < 0 or self.trap_choices(state) <= 1),
                f"no trap can be pending around player {trapped + 1} in this position",
            ),
            (
                speed[1 - turn] not in (0, FAST_MOVES),
                f"player {2 - turn} has {speed[1 - turn]} of its fast moves left, so player {turn + 1} does not move",
            ),
        )
        return state

    def to_text(self, state: State) -> str:
        return "\n".join([header_line(state), *self.field(state)])

    def from_text(self, text: str) -> State:
        rows, status = read_position(text)
        return self.from_field(rows, **status)

    def render(self, state: State) -> str:
        return self.to_text(state)

    def picture(self, state: State) -> Picture:
        """The field without the map's border; nobody's are the barriers (see `continued`), and a pending trap's cells are hazards."""
        pending = self.trap_candidates(state) if self.current_player(state) == CHANCE else []
        names = {a: (p, ACTIONS[a]) for p in self.players_to_act(state) for a in self.legal_actions(state, p)}
        return picture_of(self.grid, state, names, pending, self.render(state))

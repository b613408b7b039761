"""Soccer on a grid (Littman 1994): both step at once, chance draws the order of steps, and positions recur."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from ..interface import (
    CHANCE,
    SIMULTANEOUS,
    TERMINAL,
    Ending,
    Game,
    GameError,
    KaggleGame,
    Mark,
    Move,
    Number,
    Picture,
    Piece,
    Ranges,
    Symmetry,
    count_of,
    jit_inline,
    kernel,
    parameter,
)

STEPS = ("up", "right", "down", "left", "stand")
"""The actions by their numbers."""
_NO_STEP = -1
_NOBODY = -1
_LOOSE = 2
"""A ball that lies on a cell is this number and the cell's."""
_GOING_ON, _GOAL, _DRAWN = "", ("goal of 0", "goal of 1"), "drawn"
_ENDINGS = (_GOING_ON, *_GOAL, _DRAWN)


class State(NamedTuple):
    """A position; cells are counted by rows from the top."""

    cell0: int
    cell1: int
    ball: int
    """Who has it; -1 before the kick-off, where chance gives it to one of them, or a place; 2 and a cell's number where it lies there."""
    step0: int
    """The steps that were chosen, while chance has to say which is first; else -1."""
    step1: int
    ending: int
    """0 while the game goes on, 1 or 2 after a goal of player 0 or 1, 3 where a draw was declared."""
    moves: int
    """Moves of both so far; they only count for `max_moves`."""


@jit_inline
def image_of_step(step, flip, across):
    """The step that is in an image what this one is here."""
    if (flip == 1 and (step == 0 or step == 2)) or (across == 1 and (step == 1 or step == 3)):
        return (step + 2) & 3
    return step


@dataclass(frozen=True)
class Soccer(Game):
    """Littman's soccer on `width` x `height` cells; who carries the ball into the other's goal wins.

    Player 0's goal is behind the left edge, player 1's behind the right one, at the one or two rows in the middle. Both step at
    once to a neighbouring cell or stand; the steps are made one after the other, in random order. Who steps where the other
    stands stays where he was, and the other has the ball. After each move without a goal a draw is declared with the probability
    `draw`, and for certain after `max_moves` moves.

    `ball` is "given" (chance gives it to one of them at the kick-off) or "loose": it lies in the middle column, so that the width must be
    odd, in a row of the goals that chance draws, and who steps there first has it. Who steps where the other stands while nobody has
    it stays where he was, and that is all. OpenSpiel's markov_soccer with the horizon H is `draw=0.0, max_moves=H - 2, ball="loose"`:
    there the kick-off is one of the H moves, and a goal with the last one does not count.

    >>> from saddlepoint import Soccer
    >>> game = Soccer(width=5, height=4)
    >>> game.chance_outcomes(game.initial_state())
    [(0, 0.5), (1, 0.5)]
    """

    width: int = 5
    height: int = 4
    draw: float = 0.1
    max_moves: int = 1000
    ball: str = parameter("given")

    name: ClassVar[str] = "soccer"
    summary: ClassVar[str] = (
        "two players step at once on a small field; who carries the ball into the other's goal wins"
    )
    group: ClassVar[str] = "Laboratory"
    ranges: ClassVar[Ranges] = {
        "width": (2, 20),
        "height": (1, 20),
        "max_moves": (1, 10_000),
        "ball": ("given",),
    }
    clock: ClassVar[str] = "moves"
    max_actions: ClassVar[int] = 5

    def __post_init__(self) -> None:
        self.check_parameters(
            width=(2, 100), height=(1, 100), max_moves=(1, 10**6), draw=(0, 1), ball=("given", "loose")
        )
        self.refuse(
            (
                self.is_loose and self.width % 2 == 0,
                f"a loose ball lies in the middle column, so the width must be odd, not {self.width}",
            )
        )

    @property
    def how_to_play(self) -> Sequence[str]:  # type: ignore[override]
        drawn = (
            "After every move the game may end in a draw by chance."
            if self.draw
            else f"After {count_of(self.max_moves, 'move')} it is a draw."
        )
        lies = (
            ("The ball lies in the middle column at first; who steps there has it.",) if self.is_loose else ()
        )
        return (
            "Both players choose at the same time: one step in a direction, or to stand.",
            "The steps are made one after the other, in random order.",
            *lies,
            f"Who steps where the other one stands stays put, and the other one gets the ball{', once somebody has it' if lies else ''}.",
            f"Who carries the ball into the other's goal wins. {drawn}",
        )

    @property
    def max_depth(self) -> int:
        return 1 + 2 * self.max_moves

    @property
    def max_outcomes(self) -> int:
        return 4

    @property
    def is_loose(self) -> bool:
        """Whether the ball lies on the field at first."""
        return self.ball == "loose"

    @property
    def cells(self) -> int:
        return self.width * self.height

    def initial_state(self) -> State:
        """Before the kick-off: player 0 on the left, player 1 on the opposite cell."""
        cell = self.height // 2 * self.width + (self.width - 1) // 4
        return State(cell, self.cells - 1 - cell, _NOBODY, _NO_STEP, _NO_STEP, 0, 0)

    @kernel
    def current_player(self, state):
        if state.ending != 0 or state.moves >= self.max_moves:
            return TERMINAL
        return CHANCE if state.ball < 0 or state.step0 >= 0 else SIMULTANEOUS

    @kernel
    def legal_actions(self, state, player, out):
        for step in range(5):
            out[step] = step
        return 5

    @kernel
    def search_actions(self, state, player, out):
        """Without the steps against an edge, which are the same as standing."""
        cell, count = state.cell0 if player == 0 else state.cell1, 0
        for step in range(5):
            if self.target(cell, step) >= 0 or self.is_shot(player, cell, step):
                out[count] = step
                count += 1
        return count

    @kernel
    def chance_outcomes(self, state, out, probabilities):
        """The player that is first: with the ball at the kick-off, with the step (0, 1.

        2, 3 where a draw is declared after it).

        Of a loose ball the row of the goals where it lies, from the top.
        """
        if state.ball < 0 and self.is_loose and self.height % 2 == 1:  # one row
            out[0] = 0
            probabilities[0] = 1.0
            return 1
        count = 4 if state.ball >= 0 and self.draw > 0.0 else 2
        for outcome in range(count):
            out[outcome] = outcome
            probabilities[outcome] = (
                0.5 if count == 2 else 0.5 * (1.0 - self.draw) if outcome < 2 else 0.5 * self.draw
            )
        return count

    @kernel
    def target(self, cell, step):
        """The cell that a step leads to, or -1 off the field."""
        row, column = cell // self.width, cell % self.width
        row += int(step == 2) - int(step == 0)
        column += int(step == 1) - int(step == 3)
        if row < 0 or row >= self.height or column < 0 or column >= self.width:
            return -1
        return row * self.width + column

    @kernel
    def is_shot(self, player, cell, step):
        """Whether a step leads over the other's goal line, between the posts."""
        row, column = cell // self.width, cell % self.width
        if row < (self.height - 1) // 2 or row > self.height // 2:
            return False
        if player == 0:
            return step == 1 and column == self.width - 1
        return step == 3 and column == 0

    @kernel
    def stepped(self, state, player):
        """The state after a player's chosen step."""
        step = state.step0 if player == 0 else state.step1
        cell = state.cell0 if player == 0 else state.cell1
        other = state.cell1 if player == 0 else state.cell0
        cell0, cell1, ball, ending = state.cell0, state.cell1, state.ball, state.ending
        to = self.target(cell, step)
        if to < 0:
            if ball == player and self.is_shot(player, cell, step):
                ending = 1 + player
        elif to == other:
            if ball < 2:
                ball = 1 - player
        else:
            if ball == 2 + to:
                ball = player
            if player == 0:
                cell0 = to
            else:
                cell1 = to
        return State(cell0, cell1, ball, state.step0, state.step1, ending, state.moves)

    @kernel
    def next_state(self, state, action0, action1):
        if state.ball < 0:
            ball = action0
            if self.is_loose:
                ball = 2 + ((self.height - 1) // 2 + action0) * self.width + self.width // 2
            return State(state.cell0, state.cell1, ball, -1, -1, 0, state.moves)
        if state.step0 < 0:
            return State(state.cell0, state.cell1, state.ball, action0, action1, 0, state.moves)
        first = action0 & 1
        after = self.stepped(state, first)
        if after.ending == 0:
            after = self.stepped(after, 1 - first)
        ending = 3 if after.ending == 0 and action0 >= 2 else after.ending
        return State(after.cell0, after.cell1, after.ball, -1, -1, ending, state.moves + 1)

    @kernel
    def returns(self, state):
        return float(int(state.ending == 1) - int(state.ending == 2))

    def ending(self, states: Sequence[State]) -> tuple[Ending | None, Ending | None]:
        a, b = (
            Ending("carried the ball into the goal") if states[-1].ending == 1 + player else None
            for player in (0, 1)
        )
        return a, b

    def why_over(self, state: State) -> str:
        if state.ending == 3:
            return f"A draw was declared: that happens after a move with probability {self.draw:g}."
        return "" if state.ending else f"The limit of {count_of(self.max_moves, 'move')} is reached."

    def symmetries(self, state: State) -> list[Symmetry]:
        """The field upside down, and the players' changing sides, alone and together."""
        found: list[Symmetry] = []
        for number in range(1, 4):
            flip, across = number & 1, number >> 1
            renamed = tuple(int(image_of_step(step, flip, across)) for step in range(5))
            if self.current_player(state) == CHANCE:
                renamed = (1, 0, 3, 2) if across else (0, 1, 2, 3)
                if self.is_loose and state.ball < 0:  # chance draws one of the rows of the goals
                    renamed = (1, 0) if flip and self.height % 2 == 0 else (0, 1)
            found.append(Symmetry(self.image(state, number), renamed, renamed, across == 1))
        return found

    @kernel
    def canonical(self, state):
        """The image with the least numbers, in their order; all fit into one number, so that only the one that is kept is made."""
        best, least = 0, self.number_of_image(state, 0)
        for image in range(1, 4):
            number = self.number_of_image(state, image)
            if number < least:
                best, least = image, number
        return self.image(state, best), best >= 2

    @kernel
    def number_of_image(self, state, image):
        """The numbers of `image` in one."""
        turned = self.image(state, image)
        number = (turned.cell0 * self.cells + turned.cell1) * (self.cells + 3) + turned.ball + 1
        return (number * 6 + turned.step0 + 1) * 6 + turned.step1 + 1

    @kernel
    def image(self, state, image):
        """The position itself (0), upside down (1), from the other side with the players exchanged (2), or both (3)."""
        flip, across = image & 1, image >> 1
        cell0, cell1 = (
            self.image_of_cell(state.cell0, flip, across),
            self.image_of_cell(state.cell1, flip, across),
        )
        step0, step1 = image_of_step(state.step0, flip, across), image_of_step(state.step1, flip, across)
        ball = state.ball
        if ball >= _LOOSE:
            ball = _LOOSE + self.image_of_cell(ball - _LOOSE, flip, across)
        if across == 0:
            return State(cell0, cell1, ball, step0, step1, state.ending, state.moves)
        if 0 <= ball < _LOOSE:
            ball = 1 - ball
        ending = 3 - state.ending if 0 < state.ending < 3 else state.ending
        return State(cell1, cell0, ball, step1, step0, ending, state.moves)

    @kernel
    def image_of_cell(self, cell, flip, across):
        """The image of a cell."""
        row, column = cell // self.width, cell % self.width
        if flip == 1:
            row = self.height - 1 - row
        if across == 1:
            column = self.width - 1 - column
        return row * self.width + column

    # -- text and picture ----------------------------------------------------------------------------------------

    def action_to_string(self, state: State, player: int, action: int) -> str:
        return STEPS[action]

    def outcome_to_string(self, state: State, outcome: int) -> str:
        """The name of an outcome: at the kick-off the ball's owner or place, later the first to step, and a
        draw after it.
        """
        if state.ball < 0 and self.is_loose:
            return f"the ball in row {(self.height - 1) // 2 + outcome + 1}"
        player = "AB"[outcome & 1]
        if state.ball < 0:
            return f"{player} has the ball"
        return f"{player} first{', then a draw' if outcome >= 2 else ''}"

    def rows(self, state: State) -> list[str]:
        """The field by rows from the top: A and B are the players, small without the ball, which is o where it lies."""
        cells = ["."] * self.cells
        if state.ball >= _LOOSE:
            cells[state.ball - _LOOSE] = "o"
        cells[state.cell0] = "A" if state.ball == 0 else "a"
        cells[state.cell1] = "B" if state.ball == 1 else "b"
        return ["".join(cells[row * self.width : (row + 1) * self.width]) for row in range(self.height)]

    def to_text(self, state: State) -> str:
        chosen = f" {STEPS[state.step0]} {STEPS[state.step1]}" if state.step0 >= 0 else ""
        ending = f" {_ENDINGS[state.ending]}" if state.ending else ""
        return f"{'/'.join(self.rows(state))} {state.moves}{chosen}{ending}"

    def from_text(self, text: str) -> State:
        try:
            state = self._from_words(text.split())
        except (ValueError, IndexError):
            raise GameError(
                f"expected {self.height} rows of {self.width} cells with A or a and B or b, large who has the ball, and the number of "
                f"moves, such as {self.to_text(self.initial_state())!r}, then perhaps both steps; not {text.strip()!r}"
            ) from None
        start, lies, scorer = self.initial_state(), state.ball - _LOOSE, state.ending - 1
        goal_rows = range((self.height - 1) // 2, self.height // 2 + 1)
        for player, cell in enumerate(state[:2]):
            (x, y), (x0, y0) = ((one % self.width, one // self.width) for one in (cell, start[player]))
            self.refuse(
                (
                    abs(x - x0) + abs(y - y0) > state.moves - (scorer == player),
                    f"{count_of(state.moves, 'move')} cannot bring {'AB'[player]} from {x0},{y0} to {x},{y}",
                )
            )
        self.refuse(
            (state.ball == _NOBODY and state != start, "after the kick-off a large A or B has the ball"),
            (
                lies >= 0 and (lies % self.width != self.width // 2 or lies // self.width not in goal_rows),
                "the ball lies in the middle column, in a row of the goals",
            ),
            (
                scorer in (0, 1)
                and (state.ball != scorer or not self.is_shot(scorer, state[scorer], 1 + 2 * scorer)),
                f"who makes a goal has the ball before it, and {'AB'[scorer & 1]} does not",
            ),
            (state.ending == 3 and not self.draw, "no draw is declared where its probability is 0"),
        )
        return state

    def _from_words(self, words: list[str]) -> State:
        rows, field = words[0].split("/"), words[0].replace("/", "")
        ending = _ENDINGS.index(" ".join(words[2:])) if " ".join(words[2:]) in _ENDINGS else 0
        chosen = [] if ending else [STEPS.index(word) for word in words[2:]]
        lies = field.count("o")
        with_ball = [letter for letter in field if letter in "AB"]
        moves = int(words[1])
        if (
            [len(row) for row in rows] != [self.width] * self.height
            or "O" in field
            or lies > int(self.is_loose)
            or sorted(field.lower().replace(".", "").replace("o", "")) != ["a", "b"]
            or len(with_ball) + lies > 1
            or len(chosen) not in (0, 2)
            or not 0 <= moves <= self.max_moves
            or (chosen and (len(with_ball) + lies == 0 or moves == self.max_moves))
        ):
            raise ValueError
        ball = _LOOSE + field.index("o") if lies else _NOBODY
        if with_ball:
            ball = "AB".index(with_ball[0])
        step0, step1 = chosen or (_NO_STEP, _NO_STEP)
        return State(field.lower().index("a"), field.lower().index("b"), ball, step0, step1, ending, moves)

    def render(self, state: State) -> str:
        goal_rows = range((self.height - 1) // 2, self.height // 2 + 1)
        lines = [
            f"{' ' if k in goal_rows else '|'}{row}{' ' if k in goal_rows else '|'}"
            for k, row in enumerate(self.rows(state))
        ]
        chosen = f"   0: {STEPS[state.step0]}   1: {STEPS[state.step1]}" if state.step0 >= 0 else ""
        return "\n".join(
            [*lines, f"move {state.moves}{chosen}{'   ' if state.ending else ''}{_ENDINGS[state.ending]}"]
        )

    def picture(self, state: State) -> Picture:
        goal_rows = range((self.height - 1) // 2, self.height // 2 + 1)
        edges = [(column, row) for column in (0, self.width + 1) for row in range(self.height)]
        pieces = [
            Piece(
                *self._drawn(cell),
                player,
                "disc" if state.ball == player else "ring",
                "AB"[player],
                f"player {player}{' with the ball' if state.ball == player else ''}",
                id=str(player),
            )
            for player, cell in ((0, state.cell0), (1, state.cell1))
        ]
        if state.ball >= _LOOSE:
            pieces.append(Piece(*self._drawn(state.ball - _LOOSE), None, "disc", "", "the ball", id="ball"))
        moves = [
            Move(
                player,
                action,
                STEPS[action],
                self._drawn_target(state, player, action),
                arrow=STEPS[action] if action < 4 else "",
            )
            for player in self.players_to_act(state)
            for action in self.legal_actions(state, player)
        ]
        return Picture(
            self.width + 2,
            self.height,
            walls=tuple(cell for cell in edges if cell[1] not in goal_rows),
            marks=tuple(
                Mark(column, row, "target", owner, title=f"player {owner}'s goal")
                for row in goal_rows
                for column, owner in ((0, 0), (self.width + 1, 1))
            ),
            pieces=tuple(pieces),
            moves=tuple(moves),
            numbers=(Number("moves", state.moves),),
            text=self.render(state),
        )

    def _drawn(self, cell: int) -> tuple[int, int]:
        return cell % self.width + 1, cell // self.width

    def _drawn_target(self, state: State, player: int, step: int) -> tuple[int, int] | None:
        """The cell to click: a shot's is the goal; a step against an edge has none."""
        cell = state.cell0 if player == 0 else state.cell1
        column, row = self._drawn(cell)
        if self.is_shot(player, cell, step):
            return column + (1 if player == 0 else -1), row
        return self._drawn(to) if (to := self.target(cell, step)) >= 0 else None


# Files of `kaggle_environments`: OpenSpiel's soccer there, where the ball lies loose at first.

_STEPS = (0, 2, 3, 1, 4)
"""Our steps by the numbers there: up, down, left, right, stand."""
_USUAL = ".....\n..OB.\n.AO..\n....."


def _game_of(environment: str, told: Mapping[str, Any]) -> Soccer:
    horizon, rows = KaggleGame.whole(told, "horizon", 1000), str(told.get("grid", _USUAL)).strip().split("\n")
    Game.refuse((horizon < 3, f"horizon={horizon} ends the game before anybody can score"))
    game = Soccer(max(map(len, rows)), len(rows), 0.0, horizon - 2, "loose")
    Game.refuse(
        (
            _drawn(game) != rows,
            "the players, the ball or the goals are elsewhere in the grid that it is played on",
        )
    )
    return game


def _drawn(game: Soccer) -> list[str]:
    """The grid that is the start of a game, as it is written there."""
    start = game.initial_state()
    cells = ["."] * game.cells
    cells[start.cell0], cells[start.cell1] = "A", "B"
    for outcome, _ in game.chance_outcomes(start):
        cells[game.next_state(start, outcome).ball - 2] = "O"
    return ["".join(cells[row * game.width : (row + 1) * game.width]) for row in range(game.height)]


def _step(number: int) -> int:
    return _STEPS[number] if 0 <= number < len(_STEPS) else number


def _outcome(number: int) -> int:
    """OpenSpiel's outcome as one of ours: there 0 and 1 are the first player to step, from 2 on the ball's
    row.
    """
    return number - 2 if number >= 2 else number


EPISODE = KaggleGame(
    ("open_spiel_markov_soccer",), _game_of, ("horizon", "grid"), _step, _outcome, most_left=2
)

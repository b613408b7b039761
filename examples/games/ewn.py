"""EinStein würfelt nicht: a die says which stone may move; run this file to check the rules.

Each player has six stones, numbered 1 to 6, in opposite corners. In turn a die is thrown; the player moves the stone of that number one
step towards the other's corner: across, down or diagonally. If the stone is gone, the next higher or the next lower one that is left
moves. Whatever stands on the new cell is taken, one's own stones too. Whoever comes to the other's corner, or takes all the other's
stones, wins. Here the stones stand in a fixed order.

Rules: Ingo Althöfer (2004), https://en.wikipedia.org/wiki/EinStein_w%C3%BCrfelt_nicht!
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from saddlepoint import CHANCE, TERMINAL, Game, check_game, kernel, with_item

SIDE = 5
CELLS = SIDE * SIDE
GONE = -1
FIRST, LAST = (0, 2, 6, 1, 5, 10), (24, 22, 18, 23, 19, 14)
STEPS = (1, SIDE, SIDE + 1)


class State(NamedTuple):
    stones: tuple[int, ...]
    """The cells of player 0's six stones, then of player 1's; GONE where taken."""
    mover: int
    die: int
    """0 to 5; -1 before it is thrown."""


@dataclass(frozen=True)
class Ewn(Game):
    """A die chooses your stone; reach the other corner or take all."""

    name: ClassVar[str] = "ewn"
    max_actions = 6
    distinct_actions = 18
    max_depth = 200
    max_outcomes = 6

    def initial_state(self):
        return State(FIRST + LAST, 0, -1)

    @kernel
    def current_player(self, state):
        alive = (False, False)
        for stone in range(12):
            if state.stones[stone] == (CELLS - 1 if stone < 6 else 0):
                return TERMINAL
            if state.stones[stone] != GONE:
                alive = with_item(alive, stone // 6, True)
        if not (alive[0] and alive[1]):
            return TERMINAL
        return CHANCE if state.die < 0 else state.mover

    @kernel
    def chance_outcomes(self, state, out, probabilities):
        for number in range(6):
            out[number] = number
            probabilities[number] = 1 / 6
        return 6

    @kernel
    def target(self, cell, way, player):
        """The cell a stone steps on; -1 beside the board."""
        away = CELLS - 1 - cell if player else cell
        if (way != 1 and away % SIDE == SIDE - 1) or (way != 0 and away // SIDE == SIDE - 1):
            return -1
        return cell - STEPS[way] if player else cell + STEPS[way]

    @kernel
    def legal_actions(self, state, player, out):
        below, above, count = state.die, state.die, 0
        while below >= 0 and state.stones[6 * player + below] == GONE:
            below -= 1
        while above < 6 and state.stones[6 * player + above] == GONE:
            above += 1
        for number in range(6):
            if number in (below, above):
                for way in range(3):
                    if self.target(state.stones[6 * player + number], way, player) >= 0:
                        out[count] = number * 3 + way
                        count += 1
        return count

    @kernel
    def next_state(self, state, action):
        if state.die < 0:
            return State(state.stones, state.mover, action)
        stone = 6 * state.mover + action // 3
        target, stones = self.target(state.stones[stone], action % 3, state.mover), state.stones
        for other in range(12):
            if stones[other] == target:
                stones = with_item(stones, other, GONE)
        return State(with_item(stones, stone, target), 1 - state.mover, -1)

    @kernel
    def returns(self, state):
        # Whoever moved last has won: nobody loses by an own move.
        return 1.0 if state.mover == 1 else -1.0

    def action_to_string(self, state, player, action):
        return f"{action // 3 + 1}{('across', 'down', 'diagonally')[action % 3]}"

    def outcome_to_string(self, state, outcome):
        return f"die {outcome + 1}"

    def render(self, state):
        text = [" ."] * CELLS
        for stone, cell in enumerate(state.stones):
            if cell != GONE:
                text[cell] = "xo"[stone // 6] + str(stone % 6 + 1)
        rows = [" ".join(text[y * SIDE : (y + 1) * SIDE]) for y in range(SIDE)]
        return "\n".join(rows) + (f"\ndie: {state.die + 1}" if state.die >= 0 else "")


if __name__ == "__main__":
    check_game(Ewn())
    print("the rules hold")

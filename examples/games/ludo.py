"""A race of runners with a die, in which who is hit begins again; run this file to check the rules.

Both players have some runners on the same track, on which they start outside. In turn a die is thrown and the player moves one runner
by it. A runner that lands on one of the other's sends it back outside; on one's own a runner may not land. Whoever has all runners at
the end of the track, where a larger throw counts too, wins. A player who cannot move passes. After `turns` turns it is a draw.

Rules: a short form of Ludo (Pachisi), https://en.wikipedia.org/wiki/Ludo, with one track for both and free starts
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from saddlepoint import CHANCE, TERMINAL, Game, check_game, kernel, with_item


class State(NamedTuple):
    places: tuple[int, int, int, int, int, int]
    """Of player 0's three runners, then of player 1's: 0 outside, `track` at the end."""
    turn: int
    die: int
    """1 to 6; 0 before it is thrown."""


@dataclass(frozen=True)
class Ludo(Game):
    """A die, three runners each on one track; send the other's back; the first with all at the end wins."""

    track: int = 16
    turns: int = 150

    name: ClassVar[str] = "ludo"
    max_actions = 4
    max_outcomes = 6

    @property
    def max_depth(self):
        return 2 * self.turns

    def initial_state(self):
        return State((0, 0, 0, 0, 0, 0), 0, 0)

    @kernel
    def are_home(self, state, player):
        home = 0
        for runner in range(3):
            home += 1 if state.places[3 * player + runner] == self.track else 0
        return home == 3

    @kernel
    def current_player(self, state):
        if self.are_home(state, 0) or self.are_home(state, 1) or state.turn == self.turns:
            return TERMINAL
        return CHANCE if state.die == 0 else state.turn % 2

    @kernel
    def chance_outcomes(self, state, out, probabilities):
        for number in range(6):
            out[number] = number + 1
            probabilities[number] = 1 / 6
        return 6

    @property
    def distinct_actions(self):
        return 7

    @kernel
    def legal_actions(self, state, player, out):
        count = 0
        for runner in range(3):
            place = state.places[3 * player + runner]
            target = min(place + state.die, self.track)
            may = place < self.track
            for k in range(3):
                # Of runners on one place (outside) the first stands for all.
                if k != runner and target < self.track and state.places[3 * player + k] == target:
                    may = False
                if k < runner and state.places[3 * player + k] == place:
                    may = False
            if may:
                out[count] = runner
                count += 1
        if count == 0:
            out[0] = 3
            count = 1
        return count

    @kernel
    def next_state(self, state, action):
        player = state.turn % 2
        if state.die == 0:
            return State(state.places, state.turn, action)
        places = state.places
        if action < 3:
            target = min(places[3 * player + action] + state.die, self.track)
            for k in range(3):
                if target < self.track and places[3 * (1 - player) + k] == target:
                    places = with_item(places, 3 * (1 - player) + k, 0)
            places = with_item(places, 3 * player + action, target)
        return State(places, state.turn + 1, 0)

    @kernel
    def returns(self, state):
        return 1.0 if self.are_home(state, 0) else -1.0 if self.are_home(state, 1) else 0.0

    def action_to_string(self, state, player, action):
        return "pass" if action == 3 else f"runner on {state.places[3 * player + action]}"

    def outcome_to_string(self, state, outcome):
        return f"die {outcome}"

    def render(self, state):
        lines = [" ".join(str(place) for place in state.places[3 * player : 3 * player + 3]) for player in (0, 1)]
        die = f", die {state.die}" if state.die else ""
        return f"track of {self.track}{die}\nplayer 0: {lines[0]}\nplayer 1: {lines[1]}"


if __name__ == "__main__":
    check_game(Ludo())
    print("the rules hold")

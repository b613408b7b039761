"""The least that `best(risk=...)` expects against somebody who knows all that it knows and its mixtures: exactly, over all histories.

python benchmarks/safe_worst.py 'goofspiel(cards=5, order=descending)' 'goofspiel(cards=5)' --risks 0 0.4

Before the game it has met twenty games that mislead it. A position is met again wherever the game comes there in another way: what it
may lose, and what it expects of the other, depend on the way. Each figure should be the game's value less the risk, or more. With five
cards in a known order a figure takes seconds, with drawn prizes more than eight minutes of a core.
"""

import argparse
import copy
import random
import time
from typing import Any

from saddlepoint.cli.common import read_game
from saddlepoint.game.base import CHANCE, NO_ACTION, TERMINAL
from saddlepoint.policies import OpponentModel, SafeExploitation
from saddlepoint.solvers.beforehand import solve_beforehand
from saddlepoint.solvers.general.check import Erring


def misled(solution: Any, draw: random.Random) -> OpponentModel:
    """Habits of games in which each player prefers one action, drawn for each number of choices."""
    game, model, liked = solution.game, OpponentModel(), {}
    for _ in range(20):
        state = solution.root
        while (node := game.current_player(state)) != TERMINAL:
            joint = [NO_ACTION, NO_ACTION]
            for player in game.players_to_act(state):
                legal = game.legal_actions(state, player)
                joint[player] = legal[liked.setdefault((player, len(legal)), draw.randrange(len(legal)))]
                model.note(game, state, player, joint[player], solution.at(state).strategies[player])
            if node == CHANCE:
                joint[0] = draw.choice(game.chance_outcomes(state))[0]
            state = game.advance(state, *joint)
    return model


class Worst:
    """Counts the histories that it goes through."""

    def __init__(self, solution: Any, player: int) -> None:
        self._solution, self._player, self.histories = solution, player, 0

    def value(self, one: SafeExploitation, state: Any) -> float:
        """The least that the player expects from here; `one` is not changed."""
        game, player = self._solution.game, self._player
        node = game.current_player(state)
        if node == TERMINAL:
            self.histories += 1
            return game.returns(state) * (1 - 2 * player)
        if node == CHANCE:
            return sum(
                share * self.value(one, game.next_state(state, outcome))
                for outcome, share in game.chance_outcomes(state)
            )
        one = self._copy(one)
        own = one.mixture(state) if player in game.players_to_act(state) else {NO_ACTION: 1.0}
        found = []
        for answer in game.legal_actions(state, 1 - player) or [NO_ACTION]:
            total = 0.0
            for action, share in own.items():
                if share > 0:
                    after = self._copy(one)
                    after.chose(action)
                    joint = (action, answer) if player == 0 else (answer, action)
                    total += share * self.value(after, game.advance(state, *joint))
            found.append(total)
        return min(found)

    def _copy(self, one: SafeExploitation) -> SafeExploitation:
        """A copy with an account and habits of its own, of the same solution."""
        return copy.deepcopy(one, {id(shared): shared for shared in (self._solution, one._erring)})


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="+")
    parser.add_argument("--risks", type=float, nargs="+", default=[0.0, 0.4])
    parser.add_argument("--players", type=int, nargs="+", default=[0, 1])
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    for text in asked.games:
        game = read_game(text)
        solution = solve_beforehand(game)
        assert solution is not None
        erring = Erring(solution)
        for player in asked.players:
            for risk in asked.risks:
                began, worst = time.process_time(), Worst(solution, player)
                model = misled(solution, random.Random(asked.seed))
                found = worst.value(SafeExploitation(solution, player, risk, model, erring), solution.root)
                value = solution.value * (1 - 2 * player)
                print(
                    f"{text}, player {player}, risk {risk:g}: worst {found:.9f}, value less risk {value - risk:.9f}, above by "
                    f"{found - value + risk:.1e}; {worst.histories:,} histories, {time.process_time() - began:.0f} s",
                    flush=True,
                )


if __name__ == "__main__":
    main()

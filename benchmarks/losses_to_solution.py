"""How much a player loses to a best response, move by move, in a game that is solved: by the values of the solution.

    saddlepoint solve 'goofspiel(cards=9)' -o goofspiel9.sol
    python benchmarks/losses_to_solution.py goofspiel9.sol 'goofspiel(cards=9)' best 'saddle(evaluator=hands,choice=mixture)' --nodes 40000

Games are drawn from the equilibrium. In each position in which both choose, the loss of a player is what its probabilities give away there
against the worst answer, if the solution is played from then on. The losses of a game added up say how far from an equilibrium it plays.
A player that has solved the whole game gives away nothing but rounding: ask for `best` of a game that is too large for that.
"""

import argparse
import random
import sys
from collections import defaultdict

import numpy as np

from saddlepoint.game.base import CHANCE, NO_ACTION, SIMULTANEOUS, TERMINAL
from saddlepoint.games.catalogue.games import game_spec, make_game
from saddlepoint.games.catalogue.policies import policy_of
from saddlepoint.solvers.general import load_solution


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("solution")
    parser.add_argument("game")
    parser.add_argument("players", nargs="+", help="players of which the probabilities are known")
    parser.add_argument("--nodes", type=int, default=40_000, help="a move")
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    spec, draw = game_spec(asked.game), random.Random(asked.seed)
    game = make_game(spec.name, **spec.options)
    solution, _ = load_solution(asked.solution, game)
    policies = {spec: policy_of(spec, game, nodes=asked.nodes).policy for spec in asked.players}
    totals, by_choices = defaultdict(list), defaultdict(lambda: defaultdict(list))
    for number in range(asked.games):
        state, lost = game.initial_state(), {spec: [0.0, 0.0] for spec in policies}
        while (node := game.current_player(state)) != TERMINAL:
            if node == CHANCE:
                outcomes, chances = zip(*game.chance_outcomes(state), strict=True)
                state = game.advance(state, draw.choices(outcomes, chances)[0], NO_ACTION)
                continue
            stage = solution.at(state)
            if node == SIMULTANEOUS:
                for spec, policy in policies.items():
                    for player, loss in enumerate(losses(stage, policy, state)):
                        lost[spec][player] += loss
                        by_choices[spec][len(stage.strategies[player])].append(loss)
            state = game.advance(state, *(drawn(mixture, draw) for mixture in stage.strategies))
        for spec, both in lost.items():
            totals[spec] += both
        print(
            f"game {number + 1} of {asked.games}",
            end="\n" if number + 1 == asked.games else "\r",
            flush=True,
            file=sys.stderr,
        )
    for spec, found in totals.items():
        mean, half = np.mean(found), 1.96 * np.std(found) / len(found) ** 0.5
        print(f"{spec}: {mean:.4f} +- {half:.4f} a game and player; by the number of its actions:")
        print(
            "  "
            + ", ".join(f"{count}: {np.mean(one):.3f}" for count, one in sorted(by_choices[spec].items()))
        )


def losses(stage, policy, state):
    """What both players' mixtures give away here against the worst answer, in the game's units."""
    cells = np.array(stage.matrix)
    x, y = (
        np.array([mine.get(action, 0.0) for action in theirs])
        for mine, theirs in zip(policy(state), stage.strategies, strict=True)
    )
    return stage.value - (x @ cells).min(), (cells @ y).max() - stage.value


def drawn(mixture, draw):
    """An action by its probability; none where there is no choice."""
    return draw.choices(list(mixture), list(mixture.values()))[0] if mixture else NO_ACTION


if __name__ == "__main__":
    main()

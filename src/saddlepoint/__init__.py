"""Two-player games in which the players move at the same time or in turn: search, exact solutions, equilibria.

    from saddlepoint import DoubleOracle, LightRiders, Limits, search

    game = LightRiders(8, 8)
    found = search(game, game.initial_state(), DoubleOracle(), Limits(nodes=10_000))
    print(found.value, found.strategy(0))

Values are expected results for player 0, in the game's units. The public names, by subject:

Search a position: search, Searcher, Limits, StopToken, Memory, SearchResult, Iteration, Partial, Statistics.

Algorithms for players who move at the same time, exact: BackwardInduction, BoundedInduction, SaddlePruning, SMAB, DoubleOracle,
DoubleOracleBounds. As if one moved first, a bound of the value: SerialisedAlphaBeta. By samples: DecoupledUCTTree, DecoupledPUCTTree,
Exp3Tree, RegretMatchingTree, OutcomeSamplingTree, or SimultaneousMonteCarlo with a Selection: DecoupledUCT, DecoupledPUCT, Exp3,
RegretMatching, OutcomeSampling, or one of your own. For players who move in turn: PrincipalVariation, ProofNumber, MonteCarlo. Their base
is Algorithm; ALGORITHMS has all of them by name; UnsupportedGameError says that one is not made for a game.

Solve a game, and how far a strategy is from an equilibrium: solve, Policy, nash_conv, nash_conv_bound, best_response, value_of.

Games: every name of `saddlepoint.games`, such as LightRiders; `saddlepoint games` says what they are.

Write a game: Game, kernel, parameter, constant, with_item, Symmetry, Ending, CHANCE, SIMULTANEOUS, TERMINAL; GameError,
IllegalActionError and KernelError tell what is wrong. check_game tests its rules.

In packages of their own: `matrix` (one matrix game), `evaluators` (what a position is worth), `policies`, `solvers`, `players`, `arena`
(matches and tournaments), `interop` (other libraries), `boards` (what games on grids share). The program is `saddlepoint --help`.
"""

from typing import Any

from .system.lazy import attach

# Numba takes most of half a second to import: not before a name is used that needs it.
_name, __dir__ = attach(__name__, __file__)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from .system.terminal import installed_version

        return installed_version()
    return _name(name)

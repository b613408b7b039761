"""What a researcher can do here and in OpenSpiel, PettingZoo, Nashpy, LiteEFG and pygambit: runs a piece of code for every cell of a table.

    python benchmarks/researchers.py --python open_spiel=/a/bin/python --python pettingzoo=/b/bin/python \\
        --python nashpy=/c/bin/python --python LiteEFG=/d/bin/python --python pygambit=/e/bin/python > table.md

Each library needs a Python in which it is installed; one environment for all is not needed. OpenSpiel also asks for `nashpy cvxpy ecos jax
flax optax chex orbax-checkpoint`, PettingZoo for `pettingzoo[classic]`, LiteEFG brings OpenSpiel, and pygambit takes games from it.
A piece of code runs in a process of its own. What stands below its line `# timed` is run, again while it took less than a second in
all, and the least time is told (of runs of a second or more CPU time), and for solvers how far the memory grew. Where a library has nothing, the cell is a search of its own
source text for the words by which one would find it; a hit is printed to stderr, for a person to judge. The table and all code are printed.
"""

# ruff: noqa: E501 (pieces of code and their answers)
import argparse
import csv
import datetime
import importlib.util
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import typing

LIBRARIES = {
    "saddlepoint": "Saddlepoint",
    "open_spiel": "OpenSpiel",
    "pettingzoo": "PettingZoo",
    "nashpy": "Nashpy",
    "LiteEFG": "LiteEFG",
    "pygambit": "pygambit",
}


class Yes(typing.NamedTuple):
    call: str
    """What the table calls it."""
    code: str
    """Sets `answer`; `# timed` begins what is timed, and without it no time is told."""
    partly: str = ""
    """What is missing, where it is only a part."""
    memory: bool = False
    """Whether the table tells how far the memory grew."""


class No(typing.NamedTuple):
    words: str
    """A regular expression that none of the library's source lines should have."""
    why: str = ""


MATRIX = "A = [[0, -25, 50], [25, 0, -5], [-50, 5, 0]]\n"
GOOFSPIEL = 'game = pyspiel.load_game("goofspiel(imp_info=False,num_cards=%d,players=2,points_order=random,returns_type=win_loss)")\n'
SPIEL4 = "import pyspiel\n" + GOOFSPIEL % 4
TURNS4 = SPIEL4 + "game = pyspiel.convert_to_turn_based(game)\n"
OURS4 = "from saddlepoint import Goofspiel\ngame = Goofspiel(4)\n"
LITE_CFR = """method = CFRplus.graph()
env.set_graph(method)
for _ in range(%d):
    method.update_graph(env)
    env.update_strategy(method.current_strategy())
gaps = env.exploitability(method.current_strategy(), "linear-avg-iterate")
value = env.utility(method.current_strategy(), "linear-avg-iterate")[0]
"""
LITE = "import LiteEFG, pyspiel\nfrom LiteEFG.baselines import CFRplus\n"
LITE3 = LITE + GOOFSPIEL % 3 + "env = LiteEFG.OpenSpielEnv(game, regenerate=True)\n"
GAMBIT = (
    """import fractions, io, re, pygambit, pyspiel
from open_spiel.python.algorithms.gambit import export_gambit
"""
    + GOOFSPIEL
)
LITE_PPO = Yes(
    "baselines.drl.PPO",
    """import LiteEFG, optax
from LiteEFG.baselines.drl import PPO
from LiteEFG.drl.models.MLP import MLP
actor, critic = (LiteEFG.model(MLP(size), optimizer=optax.adam(1e-3)) for size in (3, 1))
method = PPO.graph(actor, critic, num_actions=3)
LiteEFG.Trainer(method, LiteEFG.Goofspiel(num_cards=3), batch_size=128)
# timed
answer = f"Goofspiel, 3 cards, {method.train(iterations=2)['trajectories']} games, compilation included"
""",
    "PPO; two games",
)
KUHN_TREE = """import fractions, io, re, pygambit, pyspiel
from open_spiel.python.algorithms.gambit import export_gambit
text = export_gambit(pyspiel.load_game("kuhn_poker"))  # its probabilities are rounded, and add up to 1 as fractions alone
tree = pygambit.read_efg(io.StringIO(re.sub(r"0\\.\\d{6,}", lambda m: str(fractions.Fraction(m[0]).limit_denominator(1000)), text)))
"""
GENERAL_SUM = "A, B = [[3, 0], [0, 2]], [[2, 0], [0, 3]]\n"


def solve_ours(cards: int) -> Yes:
    return Yes(
        f"solve(Goofspiel({cards}))",
        f"""from saddlepoint import Goofspiel, solve
# timed
solution = solve(Goofspiel({cards}))
answer = f"exact, value {{solution.at(solution.root).value:z.4f}}"
""",
        memory=True,
    )


def solve_spiel(cards: int) -> Yes:
    return Yes(
        "value_iteration",
        "import pyspiel\nfrom open_spiel.python.algorithms import value_iteration\n"
        + GOOFSPIEL % cards
        + """# timed
values = value_iteration.value_iteration(game, depth_limit=-1, threshold=1e-3)
answer = f"values of {len(values)} positions to 1e-3"
""",
        "values, no strategies",
        memory=True,
    )


def form_spiel(cards: int) -> Yes:
    return Yes(
        "sequence_form_lp",
        "import pyspiel\nfrom open_spiel.python.algorithms import sequence_form_lp\n"
        + GOOFSPIEL % cards
        + """# timed
found = sequence_form_lp.solve_zero_sum_game(pyspiel.convert_to_turn_based(game))
answer = f"value and strategies to the program's tolerance, value {found[0]:z.4f}"
""",
        memory=True,
    )


def solve_lite(cards: int) -> Yes:
    return Yes(
        f"CFRplus on OpenSpielEnv, {cards} cards",
        LITE
        + GOOFSPIEL % cards
        + "# timed\nenv = LiteEFG.OpenSpielEnv(game, regenerate=True)\n"
        + LITE_CFR % 100
        + 'answer = f"after 100 iterations value {value:.4f}, NashConv {sum(gaps):.4f}"\n',
        "approximate",
        memory=True,
    )


def solve_gambit(cards: int) -> Yes:
    return Yes(
        f"nash.lp_solve, {cards} cards",
        GAMBIT % cards
        + """# timed
text = export_gambit(pyspiel.convert_to_turn_based(game))
tree = pygambit.read_efg(io.StringIO(re.sub(r"0\\.\\d{6,}", lambda m: str(fractions.Fraction(m[0]).limit_denominator(1000)), text)))
found = pygambit.nash.lp_solve(tree, rational=False).equilibria[0]
answer = f"value {found.payoff(list(tree.players)[0]):.4f}, strategies"
""",
        memory=True,
    )


def lines_of(path: str) -> str:
    package, inside = path.split("/", 1)
    return f"""import importlib.util, io, pathlib, tokenize
path = pathlib.Path(importlib.util.find_spec("{package}").origin).parent / "{inside}"
kept = {{t.start[0] for t in tokenize.generate_tokens(io.StringIO(path.read_text()).readline)
        if t.type in (tokenize.NAME, tokenize.OP, tokenize.NUMBER)}}
answer = f"tic-tac-toe in {{len(kept)}} lines of code"
"""


SEARCH = """from saddlepoint import Goofspiel, Limits, RegretMatchingTree, SMAB, search
from saddlepoint.games.goofspiel.evaluators import Hands
game = Goofspiel(13)
state = game.next_state(game.initial_state(), 6)
search(game, state, %s, Limits(nodes=1000), seed=1)
# timed
found = search(game, state, %s, Limits(nodes=1_000_000), seed=1)
answer = f"Goofspiel(13), {%s, value {found.value:z.3f}, a mixture of {sum(p > 0 for p in found.strategy(0).values())} cards"
"""

REFUSED = """from open_spiel.python.algorithms import mcts
try:
    pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, 1000, 10, False, 1, False)
except pyspiel.SpielError as error:
    answer = f"no: `pyspiel.MCTSBot` says \\"{error}\\""
"""

ROWS: dict[str, dict[str, Yes | No | list[Yes]]] = {
    "value of a 3x3 matrix game, both strategies": {
        "saddlepoint": Yes(
            "matrix.solve_matrix",
            MATRIX + "from saddlepoint.matrix import solve_matrix\n# timed\nfound = solve_matrix(A)\n"
            'answer = f"value {found.value:z.4f}"',
        ),
        "open_spiel": Yes(
            "lp_solver.solve_zero_sum_matrix_game",
            MATRIX
            + """import pyspiel
from open_spiel.python.algorithms import lp_solver
# timed
found = lp_solver.solve_zero_sum_matrix_game(pyspiel.create_matrix_game(A, [[-x for x in row] for row in A]))
answer = f"value {found[2]:z.4f}"
""",
        ),
        "pettingzoo": No(r"equilibri"),
        "nashpy": Yes(
            "Game.linear_program",
            MATRIX
            + """import numpy as np, nashpy
# timed
game = nashpy.Game(np.array(A))
found = game.linear_program()
answer = f"value {game[found][0]:z.4f}"
""",
        ),
        "LiteEFG": Yes(
            "CFRplus on OpenSpielEnv",
            MATRIX + LITE + "game = pyspiel.create_matrix_game(A, [[-x for x in row] for row in A])\n"
            "# timed\nenv = LiteEFG.OpenSpielEnv(game, regenerate=True)\n"
            + LITE_CFR % 1000
            + 'answer = f"after 1000 iterations value {value:z.4f}, NashConv {sum(gaps):.4f}"\n',
            "approximate",
        ),
        "pygambit": Yes(
            "nash.lp_solve",
            MATRIX
            + """import numpy as np, pygambit
# timed
game = pygambit.Game.from_arrays(np.array(A), -np.array(A))
found = pygambit.nash.lp_solve(game).equilibria[0]
answer = f"value {found.payoff(list(game.players)[0])}, in fractions"
""",
        ),
    },
    "exact value and equilibrium of Goofspiel, 4 cards, random prizes": {
        "saddlepoint": solve_ours(4),
        "open_spiel": [solve_spiel(4), form_spiel(4)],
        "pettingzoo": No(r"equilibri"),
        "nashpy": No(r"extensive.form|chance"),
        "LiteEFG": [solve_lite(4), solve_lite(3)],
        "pygambit": [solve_gambit(4), solve_gambit(3)],
    },
    "the same with 5 cards": {
        "saddlepoint": solve_ours(5),
        "open_spiel": [solve_spiel(5), form_spiel(5)],
        "pettingzoo": No(r"equilibri"),
        "nashpy": No(r"extensive.form|chance"),
        "LiteEFG": solve_lite(5),
        "pygambit": solve_gambit(5),
    },
    "Kuhn poker (imperfect information)": {
        "saddlepoint": No(r"\binfo_?sets?\b|kuhn", "every position is known to both players"),
        "open_spiel": Yes(
            "sequence_form_lp.solve_zero_sum_game",
            """import pyspiel
from open_spiel.python.algorithms import sequence_form_lp
game = pyspiel.load_game("kuhn_poker")
# timed
answer = f"value {sequence_form_lp.solve_zero_sum_game(game)[0]:.5f}"
""",
        ),
        "pettingzoo": Yes(
            "leduc_holdem_v4.env",
            """from pettingzoo.classic import leduc_holdem_v4
env = leduc_holdem_v4.env()
env.reset(seed=1)
answer = f"Leduc hold'em to play: {', '.join(env.last()[0])}"
""",
            "no Kuhn poker, no solver",
        ),
        "nashpy": No(r"extensive.form|poker"),
        "LiteEFG": Yes(
            "CFRplus",
            LITE
            + '# timed\nenv = LiteEFG.OpenSpielEnv(pyspiel.load_game("kuhn_poker"), regenerate=True)\n'
            + LITE_CFR % 1000
            + 'answer = f"after 1000 iterations value {value:.5f}, NashConv {sum(gaps):.5f}"\n',
        ),
        "pygambit": Yes(
            "nash.lp_solve",
            KUHN_TREE
            + """# timed
found = pygambit.nash.lp_solve(tree).equilibria[0]
answer = f"value {found.payoff(list(tree.players)[0])}, in fractions"
""",
        ),
    },
    "equilibria of a 2x2 general-sum game (battle of the sexes)": {
        "saddlepoint": No(r"bimatrix|lemke.howson", "zero-sum only"),
        "open_spiel": Yes(
            "matrix_nash.lemke_howson_solve",
            GENERAL_SUM
            + """import numpy as np
from open_spiel.python.algorithms import matrix_nash
# timed
found = {tuple(np.round(np.concatenate(pair), 6)) for pair in matrix_nash.lemke_howson_solve(np.array(A), np.array(B))}
answer = f"{len(found)} equilibria"
""",
            "by Nashpy, not all of them; all with the program lrs",
        ),
        "pettingzoo": No(r"equilibri"),
        "nashpy": Yes(
            "Game.support_enumeration",
            GENERAL_SUM
            + 'import nashpy\n# timed\nfound = list(nashpy.Game(A, B).support_enumeration())\nanswer = f"{len(found)} equilibria"\n',
        ),
        "LiteEFG": Yes(
            "CFRplus on OpenSpielEnv",
            GENERAL_SUM
            + LITE
            + "# timed\nenv = LiteEFG.OpenSpielEnv(pyspiel.create_matrix_game(A, B), regenerate=True)\n"
            + LITE_CFR % 1000
            + 'answer = f"after 1000 iterations pay-off {value:.3f}, gaps {sum(gaps):.4f}"\n',
            "one of them, without a proof",
        ),
        "pygambit": Yes(
            "nash.enummixed_solve",
            GENERAL_SUM + "import numpy as np, pygambit\n# timed\n"
            'found = pygambit.nash.enummixed_solve(pygambit.Game.from_arrays(np.array(A), np.array(B))).equilibria\nanswer = f"{len(found)} equilibria, in fractions"\n',
        ),
    },
    "more than two players": {
        "saddlepoint": No(r"\bthree players|\bn.players|num_players", "two players"),
        "open_spiel": Yes(
            "pyspiel.CFRSolver",
            """import pyspiel
game = pyspiel.load_game("kuhn_poker(players=3)")
# timed
method = pyspiel.CFRSolver(game)
for _ in range(200):
    method.evaluate_and_update_policy()
answer = f"Kuhn poker for three, 200 iterations: NashConv {pyspiel.nash_conv(game, method.average_policy()):.4f}"
""",
        ),
        "pettingzoo": Yes(
            "AECEnv, ParallelEnv",
            """from pettingzoo.classic import texas_holdem_v4
env = texas_holdem_v4.env(num_players=4)
env.reset(seed=1)
answer = f"Texas hold'em with {len(env.agents)} agents"
""",
        ),
        "nashpy": No(r"\bthree.player|\bn.player|multi.player", "two players"),
        "LiteEFG": Yes(
            "OpenSpielEnv",
            LITE
            + """# timed
env = LiteEFG.OpenSpielEnv(pyspiel.load_game("kuhn_poker(players=3)"), regenerate=True)
method = CFRplus.graph()
env.set_graph(method)
for _ in range(200):
    for player in (1, 2, 3):  # the baseline's own update_graph is for two
        env.update(method.strategy, upd_player=player)
    env.update_strategy(method.current_strategy())
answer = f"Kuhn poker for three, 200 iterations: NashConv {sum(env.exploitability(method.current_strategy(), 'linear-avg-iterate')):.4f}"
""",
        ),
        "pygambit": Yes(
            "nash.logit_solve",
            """import numpy as np, pygambit
game = pygambit.Game.from_arrays(*np.random.default_rng(1).integers(0, 9, (3, 2, 2, 2)))
# timed
found = pygambit.nash.logit_solve(game).equilibria
answer = f"three players, 2x2x2: {len(found)} equilibrium"
""",
        ),
    },
    "NashConv of a strategy (the even one in Goofspiel, 4 cards)": {
        "saddlepoint": Yes(
            "nash_conv",
            OURS4
            + "from saddlepoint import nash_conv\nfrom saddlepoint.policies import UniformPolicy\n# timed\n"
            'answer = f"{nash_conv(game, UniformPolicy(game)):.4f}"\n',
        ),
        "open_spiel": Yes(
            "pyspiel.nash_conv",
            TURNS4
            + '# timed\nanswer = f"{pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game)):.4f}"\n',
        ),
        "pettingzoo": No(r"exploitab|nash.?conv"),
        "nashpy": Yes(
            "Game.is_best_response",
            MATRIX
            + """import numpy as np, nashpy
# timed
answer = f"{nashpy.Game(np.array(A)).is_best_response(np.ones(3) / 3, np.ones(3) / 3)} in the matrix game"
""",
            "whether, not how far; matrix games",
        ),
        "LiteEFG": Yes(
            "Environment.exploitability",
            LITE3
            + """# timed
method = CFRplus.graph()  # begins with the even strategy
env.set_graph(method)
answer = f"3 cards: {sum(env.exploitability(method.current_strategy())):.4f}"
""",
        ),
        "pygambit": Yes(
            "MixedBehaviorProfile.agent_max_regret",
            KUHN_TREE
            + """# timed
profile = tree.mixed_behavior_profile()
answer = f"Kuhn poker: {profile.agent_max_regret():.4f}"
""",
            "regret of one action at a time; NashConv of matrix games by `player_regret`",
        ),
    },
    "CFR+ or other regret methods (100 iterations in Goofspiel, 4 cards)": {
        "saddlepoint": Yes(
            "policies.cfr_plus",
            OURS4
            + 'from saddlepoint.policies import cfr_plus\n# timed\nanswer = f"NashConv {cfr_plus(game, 100).measured[-1][1]:.4f}"\n',
            "CFR+ alone, perfect information but for moves at the same time",
        ),
        "open_spiel": Yes(
            "pyspiel.CFRPlusSolver",
            TURNS4
            + """# timed
method = pyspiel.CFRPlusSolver(game)
for _ in range(100):
    method.evaluate_and_update_policy()
answer = f"NashConv {pyspiel.nash_conv(game, method.average_policy()):.4f}"
""",
        ),
        "pettingzoo": No(r"counterfactual|regret"),
        "nashpy": Yes(
            "Game.regret_minimization",
            MATRIX
            + """import numpy as np, nashpy
# timed
*_, last = nashpy.Game(np.array(A)).regret_minimization(iterations=100)
answer = f"the matrix game, 100 iterations, last strategies {[[round(float(p), 2) for p in s] for s in last]}"
""",
            "matrix games; also fictitious play, replicator dynamics",
        ),
        "LiteEFG": Yes(
            "baselines.CFRplus",
            LITE
            + GOOFSPIEL % 3
            + "# timed\nenv = LiteEFG.OpenSpielEnv(game, regenerate=True)\n"
            + LITE_CFR % 100
            + 'answer = f"3 cards: NashConv {sum(gaps):.4f}"\n',
        ),
        "pygambit": No(r"counterfactual|regret.matching"),
    },
    "a best response (to the even strategy)": {
        "saddlepoint": Yes(
            "best_response",
            OURS4
            + """from saddlepoint import best_response
from saddlepoint.policies import UniformPolicy
# timed
answer = f"player 1 gets {-best_response(game, UniformPolicy(game), 1).value:.4f}"
""",
        ),
        "open_spiel": Yes(
            "exploitability.best_response",
            TURNS4
            + """from open_spiel.python import policy
from open_spiel.python.algorithms import exploitability
# timed
answer = f"player 1 gets {exploitability.best_response(game, policy.UniformRandomPolicy(game), 1)['best_response_value']:.4f}"
""",
        ),
        "pettingzoo": No(r"best.response"),
        "nashpy": Yes(
            "Game[...]",
            MATRIX
            + """import numpy as np, nashpy
# timed
game = nashpy.Game(np.array(A))
answer = f"matrix game: row {max(range(3), key=lambda row: game[np.eye(3)[row], np.ones(3) / 3][0])}"
""",
            "by comparing the rows' pay-offs",
        ),
        "LiteEFG": Yes(
            "Environment.exploitability",
            LITE3
            + """# timed
method = CFRplus.graph()
env.set_graph(method)
answer = f"3 cards: player 1 gains {env.exploitability(method.current_strategy())[1]:.4f}"
""",
            "its gain, not the response",
        ),
        "pygambit": Yes(
            "MixedStrategyProfile.strategy_value",
            MATRIX
            + """import numpy as np, pygambit
# timed
game = pygambit.Game.from_arrays(np.array(A), -np.array(A))
profile = game.mixed_strategy_profile()
answer = f"matrix game: strategy {max(list(game.players)[0].strategies, key=profile.strategy_value).label}"
""",
            "by comparing the strategies' values",
        ),
    },
    "a depth-limited search in a game too large to solve, moves at the same time": {
        "saddlepoint": Yes(
            "search",
            SEARCH
            % (
                "SMAB(Hands())",
                "SMAB(Hands())",
                "found.statistics.nodes:,} positions, {found.depth} rounds deep",
            ),
        ),
        "open_spiel": Yes(
            "minimax.alpha_beta_search",
            """import pyspiel
from open_spiel.python.algorithms import minimax
try:
    minimax.alpha_beta_search(pyspiel.load_game("goofspiel(imp_info=False,num_cards=13,points_order=descending)"), maximum_depth=2, value_function=lambda state: 0)
    answer = "runs"
except Exception as error:
    answer = f"refused ({type(error).__name__})"
answer += f"; in tic-tac-toe value {minimax.alpha_beta_search(pyspiel.load_game('tic_tac_toe'))[0]}"
""",
            "games in turn",
        ),
        "pettingzoo": No(r"alpha.?beta|minimax"),
        "nashpy": No(r"alpha.?beta|minimax_search|search"),
        "LiteEFG": No(r"alpha.?beta|minimax"),
        "pygambit": No(r"alpha.?beta|minimax"),
    },
    "Monte-Carlo tree search, moves at the same time": {
        "saddlepoint": Yes(
            "search",
            SEARCH % ("RegretMatchingTree()", "RegretMatchingTree()", "found.statistics.nodes:,} positions"),
        ),
        "open_spiel": Yes(
            "pyspiel.MCTSBot",
            SPIEL4
            + REFUSED
            + """game = pyspiel.convert_to_turn_based(game)
bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, 1000, 10, False, 1, False)
state = game.new_initial_state()
state.apply_action(0)
bot.step(state)
answer += "; runs on the turn-based form, where the second player sees the first one's move"
""",
            "games in turn; `ISMCTSBot` for imperfect information",
        ),
        "pettingzoo": No(r"mcts|monte.carlo"),
        "nashpy": No(r"mcts|monte.carlo"),
        "LiteEFG": No(r"mcts|monte.carlo tree"),
        "pygambit": No(r"mcts|monte.carlo"),
    },
    "thousands of games at once": {
        "saddlepoint": Yes(
            "interop.BatchEnv",
            """from saddlepoint import TicTacToe
from saddlepoint.interop import BatchEnv
batch = BatchEnv(TicTacToe(), 4096, seed=1)
for _ in range(5):
    batch.step(batch.random_actions())
# timed
for _ in range(100):
    batch.step(batch.random_actions())
answer = "4,096 x 100 steps of tic-tac-toe"
""",
        ),
        "open_spiel": Yes(
            "vector_env.SyncVectorEnv",
            """import collections, random
from open_spiel.python import rl_environment, vector_env
envs = vector_env.SyncVectorEnv([rl_environment.Environment("tic_tac_toe") for _ in range(4096)])
steps = envs.reset()
Output = collections.namedtuple("Output", "action")
# timed
for _ in range(5):
    chosen = [Output(random.choice(s.observations["legal_actions"][s.observations["current_player"]])) for s in steps]
    steps, _, _, _ = envs.step(chosen, reset_if_done=True)
answer = "4,096 x 5 steps of tic-tac-toe"
""",
            "one game after the other, in Python",
        ),
        "pettingzoo": No(r"class \w*VectorEnv", "SuperSuit, another package, has vectors"),
        "nashpy": No(r"reset\("),
        "LiteEFG": Yes(
            "jax.vmap of LiteEFG.Goofspiel",
            """import jax, LiteEFG
env = LiteEFG.Goofspiel(num_cards=4)
keys = jax.random.split(jax.random.key(1), 4096)
init, step, legal = jax.jit(jax.vmap(env.init)), jax.jit(jax.vmap(env.step)), jax.jit(jax.vmap(env.legal_action_mask))
import jax.numpy as jnp
def play():
    state = init(keys)
    for _ in range(3):
        state, *_ = step(state, jnp.argmax(legal(state), axis=-1), keys)
    jax.block_until_ready(state)
play()
# timed
play()
answer = "4,096 x 3 rounds of Goofspiel, 4 cards"
""",
            "two games: Goofspiel, dark chess",
        ),
        "pygambit": No(r"class \w*env"),
    },
    "a training environment": {
        "saddlepoint": Yes(
            "interop.pettingzoo.env, interop.gymnasium.GameEnv",
            """import saddlepoint.interop
import pathlib
folder = pathlib.Path(saddlepoint.interop.__file__).parent
answer = "every game, by " + ", ".join(sorted(p.stem for p in folder.glob("*.py") if p.stem in ("gymnasium", "pettingzoo", "gymnasium_vector")))
""",
        ),
        "open_spiel": Yes(
            "rl_environment.Environment",
            """from open_spiel.python import rl_environment
env = rl_environment.Environment("kuhn_poker")
answer = f"every game; Kuhn poker: {sorted(env.reset().observations)}"
""",
        ),
        "pettingzoo": Yes(
            "AECEnv, ParallelEnv",
            """from pettingzoo.classic import rps_v2
env = rps_v2.parallel_env()
env.reset(seed=1)
answer = f"rock, paper, scissors: rewards of a round {dict(env.step(dict.fromkeys(env.agents, 0))[1])}"
""",
        ),
        "nashpy": No(r"reset\("),
        "LiteEFG": Yes(
            "LiteEFG.Trainer",
            """import LiteEFG
answer = f"environments in JAX: {[n for n in ('Goofspiel', 'DarkChess') if hasattr(LiteEFG, n)]}"
""",
            "two games",
        ),
        "pygambit": No(r"class \w*env|gymnasium"),
    },
    "deep reinforcement learning": {
        "saddlepoint": No(
            r"\bdqn\b|\bnfsp\b|actor.critic",
            "`saddlepoint fit` learns by search; `examples/train_ppo.py` takes another library",
        ),
        "open_spiel": Yes(
            "dqn, nfsp, deep_cfr, ppo, alpha_zero, psro_v2 and others",
            """import random
from open_spiel.python import rl_environment
from open_spiel.python.jax import dqn
env = rl_environment.Environment("kuhn_poker")
agents = [dqn.DQN(p, state_representation_size=env.observation_spec()["info_state"][0], num_actions=2, hidden_layers_sizes=[16],
                  replay_buffer_capacity=1000, batch_size=16, allow_checkpointing=False) for p in range(2)]
# timed
for _ in range(100):
    step = env.reset()
    while not step.last():
        step = env.step([agents[step.observations["current_player"]].step(step).action])
    for agent in agents:
        agent.step(step)
answer = "DQN, 100 games of Kuhn poker"
""",
        ),
        "pettingzoo": No(r"\bdqn\b|policy.gradient", "environments only"),
        "nashpy": No(r"neural|\bdqn\b"),
        "LiteEFG": LITE_PPO,
        "pygambit": No(r"neural|\bdqn\b"),
    },
    "weights learnt by itself, from games it plays": {
        "saddlepoint": Yes(
            "saddlepoint fit",
            """import os, subprocess, sys, tempfile, time
file, begun = tempfile.mkdtemp() + "/own.weights", time.monotonic()
command = ["fit", "goofspiel(cards=8)", "-o", file, "--hours", "0.005", "--against", "none", "--seed", "1"]
subprocess.run([sys.executable, "-m", "saddlepoint", *command], check=True, capture_output=True)
kept = f"{os.path.getsize(file):,} bytes of weights" if os.path.exists(file) else "no generation kept"
answer = f"Goofspiel, 8 cards, a budget of 18 s: {kept}"
""",
        ),
        "open_spiel": Yes(
            "alpha_zero",
            """from open_spiel.python.algorithms.alpha_zero import alpha_zero
answer = f"imported: `{alpha_zero.alpha_zero.__name__}(config)`"
""",
            "games in turn of perfect information; imported, not trained here",
        ),
        "pettingzoo": No(r"self.?play\b"),
        "nashpy": No(r"self.?play\b"),
        "LiteEFG": LITE_PPO,
        "pygambit": No(r"self.?play\b"),
    },
    "a game of one's own: rules in Python": {
        "saddlepoint": Yes(
            "Game, kernel",
            lines_of("saddlepoint/games/tic_tac_toe.py"),
            "two players, zero-sum, perfect information but for moves at the same time",
        ),
        "open_spiel": Yes("pyspiel.Game, register_game", lines_of("open_spiel/python/games/tic_tac_toe.py")),
        "pettingzoo": Yes(
            "AECEnv",
            lines_of("pettingzoo/classic/tictactoe/tictactoe.py"),
            "with drawing; the board is another file",
        ),
        "nashpy": Yes(
            "Game(A, B)",
            'import nashpy\nanswer = f"{nashpy.Game([[1, 0], [0, 1]]).payoff_matrices[0].shape} matrix"\n',
            "a matrix, no rules",
        ),
        "LiteEFG": Yes(
            "FileEnv",
            "import LiteEFG\nanswer = f\"{LiteEFG.FileEnv.__name__} reads a file of the game tree; CppEnv: {hasattr(LiteEFG, 'CppEnv')}\"\n",
            "a file, OpenSpiel's games, or C++",
        ),
        "pygambit": Yes(
            "Game.new_tree, append_move",
            """import pygambit
game = pygambit.Game.new_tree(players=["A", "B"])
game.append_move(game.root, "A", ["l", "r"])
answer = f"a tree of {len(list(game.nodes))} nodes"
""",
            "a tree, node by node",
        ),
    },
    "that game at native speed": {
        "saddlepoint": Yes(
            "kernel compiles it",
            """import importlib.util, pathlib
from saddlepoint.interop import BatchEnv
batch = BatchEnv("./examples/undercut.py:Undercut", 4096, seed=1)
for _ in range(5):
    batch.step(batch.random_actions())
# timed
for _ in range(100):
    batch.step(batch.random_actions())
answer = "examples/undercut.py, 4,096 x 100 rounds"
""",
        ),
        "open_spiel": Yes(
            "C++ alone",
            """import random, time, pyspiel
import open_spiel.python.games
def rate(name):
    game, moves, begun = pyspiel.load_game(name), 0, time.perf_counter()
    for _ in range(300):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))
            moves += 1
    return moves / (time.perf_counter() - begun)
answer = f"tic-tac-toe driven from Python: {rate('tic_tac_toe'):,.0f} moves a second in C++, {rate('python_tic_tac_toe'):,.0f} in Python"
""",
            "native only if written in C++ and built with the library",
        ),
        "pettingzoo": No(r"numba|cython"),
        "nashpy": No(r"numba\.|cython"),
        "LiteEFG": Yes(
            "compile_cpp_game",
            """import LiteEFG
answer = f"{LiteEFG.compile_cpp_game.__doc__.strip().splitlines()[0]}"
""",
            "written in C++; not compiled here",
        ),
        "pygambit": No(r"numba"),
    },
    "extensive-form and normal-form files": {
        "saddlepoint": No(r"\.efg\b|\.nfg\b", "its own text and .sol files"),
        "open_spiel": Yes(
            "load_efg_game, load_nfg_game, export_gambit",
            """import pyspiel
answer = f"reads .efg: {pyspiel.load_efg_game(pyspiel.get_kuhn_poker_efg_data()).num_players()} players"
""",
        ),
        "pettingzoo": No(r"\.efg\b|\.nfg\b"),
        "nashpy": No(r"\.efg\b|\.nfg\b"),
        "LiteEFG": Yes(
            "FileEnv",
            'import LiteEFG\nanswer = f"{LiteEFG.FileEnv.__name__}, a format of its own"\n',
            "no .efg",
        ),
        "pygambit": Yes(
            "read_efg, read_nfg, read_agg, to_efg, to_nfg",
            """import io, pygambit
text = pygambit.Game.new_tree(players=["A", "B"]).to_efg()
answer = f"{text.split()[0]} written, {len(list(pygambit.read_efg(io.StringIO(text)).players))} players read"
""",
        ),
    },
    "refinements and other equilibria": {
        "saddlepoint": No(
            r"quantal|correlated equilib|sequential equilib|proper equilib",
            "`saddle(tremble=...)` searches against a trembling opponent; nothing else",
        ),
        "open_spiel": Yes(
            "sequence_form_lp.solve_perturbed_zero_sum_game",
            """import pyspiel
from open_spiel.python.algorithms import jpsro, sequence_form_lp, stackelberg_lp
game = pyspiel.load_game("kuhn_poker")
# timed
answer = f"Kuhn poker, a sequential equilibrium: value {sequence_form_lp.solve_perturbed_zero_sum_game(game, eps=1e-8)[0]:.5f}"
""",
            "also `jpsro` for correlated equilibria, `stackelberg_lp`: imported, not run",
        ),
        "pettingzoo": No(r"equilibri"),
        "nashpy": No(r"quantal|refinement", "replicator dynamics, Moran processes"),
        "LiteEFG": Yes(
            "baselines.MMD",
            'from LiteEFG.baselines import MMD\nanswer = f"{MMD.graph.__name__}: regularised equilibria by its authors, imported, not run"\n',
            "MMD only",
        ),
        "pygambit": Yes(
            "qre.logit_solve_branch, nash.liap_agent_solve",
            GENERAL_SUM
            + """import numpy as np, pygambit
# timed
found = pygambit.nash.logit_solve(pygambit.Game.from_arrays(np.array(A), np.array(B))).equilibria
answer = f"quantal response branch to {len(found)} equilibrium"
""",
        ),
    },
    "games that come with it": {
        "saddlepoint": Yes(
            "saddlepoint games",
            """import json, subprocess, sys
answer = f"{len(json.loads(subprocess.run([sys.executable, '-m', 'saddlepoint', 'games', '--json'], capture_output=True, text=True, check=True).stdout))} games"
""",
        ),
        "open_spiel": Yes(
            "pyspiel.registered_names",
            'import pyspiel\nanswer = f"{len(pyspiel.registered_names())} names"\n',
        ),
        "pettingzoo": Yes(
            "pettingzoo.classic and others",
            """import importlib.util, pathlib, re
folder = pathlib.Path(importlib.util.find_spec("pettingzoo").origin).parent
found = [p for p in folder.glob("*/*.py") if re.search(r"_v\\d+$", p.stem)]
answer = f"{len(found)} environments, {sum(p.parent.name == 'classic' for p in found)} of them board and card games"
""",
        ),
        "nashpy": No(r"class \w*(Chess|Poker|Tic)"),
        "LiteEFG": Yes(
            "OpenSpielEnv",
            'import pyspiel, LiteEFG\nanswer = f"OpenSpiel\'s that fit as a tree ({len(pyspiel.registered_names())} in all), Goofspiel and dark chess for training"\n',
        ),
        "pygambit": Yes(
            "catalog.games",
            'import pygambit\nanswer = f"{len(pygambit.catalog.games())} games from books and papers"\n',
        ),
    },
    "matches with intervals, and SPRT": {
        "saddlepoint": Yes(
            "saddlepoint match --sprt",
            """import os, subprocess, sys
done = subprocess.run([sys.executable, "-m", "saddlepoint", "match", "rm(choice=mixture)", "random", "--game", "goofspiel(cards=4)", "-n", "200", "--swap",
    "--nodes", "500", "--seed", "1", "--sprt", "elo0=0 elo1=50 alpha=0.05 beta=0.05"], capture_output=True, text=True, env={**os.environ, "COLUMNS": "200"})
print(done.stdout, done.stderr, file=sys.stderr)
answer = "runs: interval and SPRT" if "SPRT" in done.stdout else "?"
""",
        ),
        "open_spiel": Yes(
            "evaluate_bots.evaluate_bots, elo",
            """import numpy as np, pyspiel
from open_spiel.python.algorithms import evaluate_bots
from open_spiel.python.bots import uniform_random
game, rng = pyspiel.load_game("kuhn_poker"), np.random.RandomState(1)
bots = [uniform_random.UniformRandomBot(p, rng) for p in range(2)]
answer = f"results of one game {evaluate_bots.evaluate_bots(game.new_initial_state(), bots, rng)}"
""",
            "no interval, no SPRT",
        ),
        "pettingzoo": Yes(
            "utils.average_total_reward",
            """from pettingzoo.classic import tictactoe_v3
from pettingzoo.utils import average_total_reward
answer = f"mean reward of random play {average_total_reward(tictactoe_v3.env(), max_episodes=20)}"
""",
            "random play, no interval",
        ),
        "nashpy": No(r"sprt|elo\b"),
        "LiteEFG": Yes(
            "average_utility",
            """import LiteEFG
found = LiteEFG.average_utility(LiteEFG.Goofspiel(num_cards=3), LiteEFG.uniform_policy, LiteEFG.uniform_policy, episodes=200)
answer = f"Goofspiel, 3 cards, 200 games: mean {found['mean_utility'][0]:.2f}, 95 % {[round(x, 2) for x in found['confidence_interval_95'][0]]}"
""",
            "its two games, no SPRT",
        ),
        "pygambit": No(r"sprt|elo\b"),
    },
    "play in a browser": {
        "saddlepoint": Yes(
            "saddlepoint serve",
            """import subprocess, sys, time, urllib.request
served = subprocess.Popen([sys.executable, "-m", "saddlepoint", "serve", "--no-browser", "--port", "8765"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
for _ in range(100):
    time.sleep(0.3)
    try:
        page = urllib.request.urlopen("http://127.0.0.1:8765/")
        answer = f"answers with {page.status}, a page of {len(page.read()):,} bytes"
        break
    except OSError:
        pass
served.terminate()
""",
        ),
        "open_spiel": Yes(
            "bots.human.HumanBot",
            'from open_spiel.python.bots import human\nanswer = f"{human.HumanBot.__name__} in the terminal"\n',
            "not in a browser",
        ),
        "pettingzoo": Yes(
            "render_mode='human'",
            """from pettingzoo.classic import connect_four_v3
answer = f"render modes {connect_four_v3.env().metadata['render_modes']}"
""",
            "a window to look at; not in a browser",
        ),
        "nashpy": No(r"http\.server|flask|websocket"),
        "LiteEFG": No(r"http\.server|flask|websocket"),
        "pygambit": Yes(
            "Game.to_html",
            'import pygambit, numpy as np\nanswer = f"a table of {len(pygambit.Game.from_arrays(np.eye(2), np.eye(2)).to_html())} characters"\n',
            "to look at, not to play",
        ),
    },
}


def run_here(code: str) -> None:
    """Run a cell's code in this process and print what it found as JSON."""
    import resource
    import time

    before, timed, rest = code.partition("# timed\n")
    scope: dict[str, typing.Any] = {}
    exec(before, scope)
    at_first = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    times: list[float] = []
    while timed and len(times) < 200 and sum(times) < 1:
        begun, used = time.perf_counter(), time.process_time()
        exec(rest, scope)
        wall = time.perf_counter() - begun
        times.append(wall if wall < 1 else time.process_time() - used)  # CPU time is counted coarsely
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - at_first
    print(
        "\n"
        + json.dumps(
            {"answer": str(scope["answer"]), "seconds": min(times, default=None), "megabytes": grown / 1024}
        )
    )


def hits(library: str, words: str) -> list[str]:
    """Lines of the library's Python files, tests aside, that have the words."""
    found = importlib.util.find_spec(library)
    if found is None or found.origin is None:
        raise SystemExit(f"{library} is not installed here")
    folder = pathlib.Path(found.origin).parent
    wanted = re.compile(words, re.IGNORECASE)
    return [
        f"{path.relative_to(folder)}: {line.strip()[:120]}"
        for path in [
            *sorted(folder.rglob("*.py")),
            *sorted(folder.rglob("*.pyx")),
            *sorted(folder.rglob("*.pyi")),
        ]
        for line in path.read_text(errors="replace").splitlines()
        if "test" not in path.name and wanted.search(line)
    ]


def in_other(python: str, what: str, argument: str, limit: int) -> tuple[int, str, str]:
    """(exit code, stdout, stderr) of this file run for one cell by another Python."""

    def bound() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
        resource.setrlimit(resource.RLIMIT_AS, (12 << 30, 12 << 30))

    with tempfile.TemporaryDirectory() as folder:
        # OpenSpielEnv leaves a file of the game where it runs.
        place = None if what == "saddlepoint" else folder
        done = subprocess.run(
            [python, str(pathlib.Path(__file__).resolve()), "--cell", what, argument],
            capture_output=True,
            text=True,
            check=False,
            cwd=place,
            preexec_fn=bound,
        )
    return done.returncode, done.stdout, done.stderr


def in_words(seconds: float) -> str:
    """Two digits, in the unit that suits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            number = seconds / size
            return f"{number:.0f} {unit}" if number >= 10 else f"{number:.1f} {unit}"
    return f"{seconds:.0e} s"


def told_yes(cell: Yes, python: str, library: str, limit: int) -> str:
    status, out, err = in_other(python, library, cell.code, limit)
    begin = f"`{cell.call}`"
    partly = f" ({cell.partly})" if cell.partly else ""
    if status in (-signal.SIGXCPU, -signal.SIGKILL):
        return f"{begin}: stopped after {limit} s{partly}"
    if status:
        last = (err.strip().splitlines() or ["?"])[-1]
        print(f"{library}, {cell.call}: {err[-1500:]}", file=sys.stderr)
        return f"{begin}: fails, {last[:120]}"
    found = json.loads(out.strip().splitlines()[-1])
    if err.strip() and library == "saddlepoint":
        print(f"{library}, {cell.call}: {err[-1500:]}", file=sys.stderr)
    seconds = found["seconds"]
    time = "" if seconds is None else f", {in_words(seconds)}"
    memory = f", {found['megabytes']:,.0f} MB" if cell.memory else ""
    return f"{begin}: {found['answer']}{time}{memory}{partly}"


def told_no(cell: No, python: str, library: str) -> str:
    status, out, err = in_other(python, library, "no " + cell.words, 60)
    if status:
        raise SystemExit(err)
    for line in out.splitlines()[:5]:
        print(f"{library} has {cell.words!r}: {line}", file=sys.stderr)
    return "no" + (f": {cell.why}" if cell.why else "")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--python",
        action="append",
        default=[],
        help="LIBRARY=PATH: the Python in which a library is installed",
    )
    parser.add_argument(
        "--time", type=int, default=100, help="seconds of CPU time after which a cell's code is stopped"
    )
    parser.add_argument("--row", help="only rows with this word")
    parser.add_argument("--only", help="only this library")
    parser.add_argument("--no-code", action="store_true", help="print the table alone")
    parser.add_argument(
        "--csv", type=pathlib.Path, help="write the table there, too: docs/data/libraries.csv"
    )
    parser.add_argument("--cell", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.cell:
        library, code = options.cell
        if code.startswith("no "):
            for line in hits(library, code[3:]):
                print(line)
        else:
            run_here(code)
        return
    pythons = {"saddlepoint": sys.executable, **dict(text.split("=", 1) for text in options.python)}
    shown = {key: name for key, name in LIBRARIES.items() if options.only in (None, key)}
    table = [["what", *shown.values()]]
    print("| what | " + " | ".join(shown.values()) + " |\n" + "|---" * (1 + len(shown)) + "|")
    for row, cells in ROWS.items():
        if options.row and options.row not in row:
            continue
        told: list[str] = []
        for library in shown:
            cell = cells[library]
            if library not in pythons:
                told.append("not installed")
            elif isinstance(cell, No):
                told.append(told_no(cell, pythons[library], library))
            else:
                several = cell if isinstance(cell, list) else [cell]
                told.append(
                    "; ".join(told_yes(one, pythons[library], library, options.time) for one in several)
                )
        table.append([row, *(text.replace("`", "") for text in told)])
        print(f"| {row} | " + " | ".join(text.replace("|", "/") for text in told) + " |", flush=True)
    if options.csv:
        with options.csv.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows(table)
    print(f"\n{datetime.date.today()}, {os.cpu_count()} virtual cores, load {os.getloadavg()[0]:.1f}")
    if not options.no_code:
        print_code(shown, options.row)


def print_code(shown: dict[str, str], wanted: str | None) -> None:
    """The code of each cell, and of a "no" the words that were searched for."""
    for row, cells in ROWS.items():
        if wanted and wanted not in row:
            continue
        print(f"\n### {row[0].upper()}{row[1:]}\n")
        for library, name in shown.items():
            cell = cells[library]
            if isinstance(cell, No):
                print(f"{name}: no such function by the words `{cell.words}`.\n")
            else:
                for one in cell if isinstance(cell, list) else [cell]:
                    print(f"{name}:\n\n```python\n{one.code.strip()}\n```\n")


if __name__ == "__main__":
    main()

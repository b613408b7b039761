"""How `best` plays against OpenSpiel's Monte-Carlo tree search, in C++, in the games of examples/games/ that OpenSpiel has too.

    pip install open_spiel                                          # in any environment
    python benchmarks/openspiel_mcts.py --python /path/to/that/bin/python

Both have the same seconds a move, one after the other on the same machine: `MCTSBot` as OpenSpiel's own example sets it (UCT with the
constant 2, one random play-out, proven results are kept) with `max_wall_clock_time`. Each opening of two random moves is played twice, with
sides swapped. OpenSpiel judges the game as well: where the two rules differ, the run fails. (Its mancala ends otherwise than kalah here.)
"""

import argparse
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from saddlepoint.algorithms import Limits
from saddlepoint.arena.statistics.paired import Score
from saddlepoint.game.base import TERMINAL, Game
from saddlepoint.game.own_games import load_class
from saddlepoint.game.steps import random_joint
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.players.base import Answer, Player
from saddlepoint.players.clock import ENDLESS

EXAMPLES = Path(__file__).resolve().parents[1] / "examples" / "games"
OPENING = 2
SPIEL = """
import json, sys, pyspiel
name, seconds, seed = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
game = pyspiel.load_game(name)
bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, seed), 2.0, 10**9, 1000, True, seed, False,
                      max_wall_clock_time=seconds)
for line in sys.stdin:
    state, wanted = game.new_initial_state(), json.loads(line)
    for move in wanted["moves"]:
        state.apply_action(next(a for a in state.legal_actions() if state.action_to_string(a).rstrip("*") == move))
    found = {"over": state.is_terminal(), "returns": state.returns()}
    if wanted["think"]:
        found["move"] = state.action_to_string(bot.step(state)).rstrip("*")
    print(json.dumps(found), flush=True)
"""
"""Runs with the Python that has OpenSpiel: gets the moves of a game, and answers with the next one, and whether it is over."""


def same(text: str, player: int) -> str:
    return text


def turned_round(rows: int) -> Callable[[str, int], str]:
    """Rows are counted from the other side."""
    return lambda text, player: "".join(str(rows + 1 - int(one)) if one.isdigit() else one for one in text)


def edge(text: str, player: int) -> str:
    """`-b3` is the horizontal line below row 2, at column 1."""
    kind, column, row = {"-": "h", "|": "v"}[text[0]], "abcdefgh".index(text[1]), int(text[2]) - 1
    return f"P{player + 1}({kind},{row},{column})"


GAMES: dict[str, tuple[str, str, Callable[[str, int], str]]] = {
    "hex": ("Hex", "hex(num_cols=6,num_rows=6)", same),
    "breakthrough": ("Breakthrough", "breakthrough(rows=6,columns=6)", turned_round(6)),
    "clobber": ("Clobber", "clobber(rows=5,columns=6)", turned_round(5)),
    "dots_and_boxes": ("DotsAndBoxes", "dots_and_boxes(num_rows=3,num_cols=4)", edge),
}
"""The class, OpenSpiel's name of the game, and how a move of ours is called there."""


def play(
    game: Game, spiel: Any, name_of: Callable[[str, int], str], player: Player, side: int, seed: int
) -> float:
    """A game's result for player 0; `player` has the side."""
    state, moves, draw = game.initial_state(), list[str](), random.Random(seed // 2)
    player.begin(game, side, seed)
    while True:
        mover = game.current_player(state)
        thinks = mover == 1 - side and len(moves) >= OPENING
        found = ask(spiel, {"moves": moves, "think": thinks})
        over = mover == TERMINAL
        if over != found["over"] or (over and found["returns"][0] != game.returns(state)):
            raise SystemExit(f"the rules differ after {' '.join(moves)}: {found}")
        if over:
            return float(game.returns(state))
        names = {
            name_of(game.action_to_string(state, mover, one), mover): one
            for one in game.legal_actions(state, mover)
        }
        if thinks:
            action = names[found["move"]]
        elif len(moves) < OPENING:
            action = max(random_joint(game, state, draw))
        else:
            action = Answer.of(player.choose(state, ENDLESS)).action
        moves.append(next(name for name, one in names.items() if one == action))
        state = game.next_state(state, action)


def ask(spiel: Any, wanted: dict[str, Any]) -> Any:
    """OpenSpiel's answer."""
    spiel.stdin.write(json.dumps(wanted) + "\n")
    spiel.stdin.flush()
    return json.loads(spiel.stdout.readline())


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--python", default=sys.executable, help="the Python that has OpenSpiel")
    parser.add_argument(
        "--games", nargs="+", choices=GAMES, default=[*GAMES], metavar="GAME", help="all by default"
    )
    parser.add_argument("--time", type=float, default=0.05, help="seconds of each move (0.05)")
    parser.add_argument("-n", type=int, default=40, help="games of each (40)")
    asked = parser.parse_args()
    print("| game | `best` won - drawn - lost | score (95 %) | load |\n|---|---|---|---:|", flush=True)
    for name in asked.games:
        class_name, there, name_of = GAMES[name]
        game = load_class(str(EXAMPLES / f"{name}.py"), class_name, Game)()
        player = make_player("best", game, Limits(seconds=asked.time))
        player.warm(game, game.initial_state())
        points = list[float]()
        words = [asked.python, "-c", SPIEL, there, str(asked.time), "1"]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as spiel:
            for number in range(asked.n):
                side = number % 2
                worth = play(game, spiel, name_of, player, side, number) * (1 - 2 * side)
                points.append(1.0 if worth > 0 else 0.0 if worth < 0 else 0.5)
            assert spiel.stdin is not None
            spiel.stdin.close()
        score = Score.of(points)
        low, high = score.interval()
        row = f"{score.wins} - {score.draws} - {score.losses} | {100 * score.mean:.0f} % ({100 * low:.0f} to {100 * high:.0f})"
        print(f"| {name} | {row} | {os.getloadavg()[0]:.1f} |", flush=True)


if __name__ == "__main__":
    main()

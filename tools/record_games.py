"""The recorded games of tests/data/games, made anew: 200 of each game of the catalogue, at several sizes, each time the same ones.

python tools/record_games.py [--into FOLDER] [GAME ...]

Players that draw among all legal actions play, ones that draw among those worth searching, and `best` with a few nodes a move. A line is a
game: the game's spec, the start, the players, what was done at each ply, and player 0's result. A ply is `a3` or `b3` for an action of
player 0 or 1, `c3` for an outcome of chance, and `1,2` where both move at once.
"""

import argparse
import json
import lzma
import os
import random
from pathlib import Path
from typing import Any

# Nothing is compiled: a few games at each of many sizes take less time so.
os.environ["NUMBA_DISABLE_JIT"] = "1"

from saddlepoint.algorithms import Limits
from saddlepoint.cli.common import read_game
from saddlepoint.game.base import CHANCE, SIMULTANEOUS, Game
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.play.game import play_game
from saddlepoint.players.base import RandomPlayer
from saddlepoint.players.clock import Clock

FOLDER = Path(__file__).resolve().parents[1] / "tests" / "data" / "games"
NUMBER, NODES = 200, 24
SEATS = (
    ("any", "any"),
    ("random", "random"),
    ("best", "random"),
    ("random", "random"),
    ("random", "best"),
    ("any", "random"),
    ("random", "random"),
    ("random", "any"),
    ("best", "best"),
    ("random", "random"),
)
"""Who plays, game after game; `any` draws among all legal actions."""
OWN_BEST = ("light_riders", "simplexity", "tron41", "rubiks_flip", "battlesnake")
"""Games that bring a `best` of their own; that of the others would solve the smaller ones of these games whole."""
SIZES = {
    "light_riders": ["width=6, height=6", "", "width=9, height=5, max_rounds=8", "width=10, height=7"],
    "simplexity": [
        "",
        "rows=4, cols=5, win=3, round=5, square=5",
        "rows=5, cols=4, round=4, square=6, supply=own",
    ],
    "tron41": [
        "map=small_room",
        "map=joust",
        "map=divider",
        "map=hunger_games",
        "map=center_block, start=random",
    ],
    "goofspiel": [
        "",
        "cards=6, order=descending",
        'cards=5, order="3 1 5 2 4", utility=points',
        "cards=9, lowest=0, utility=points",
    ],
    "rubiks_flip": ["", "double_lock=mover", "double_lock=opponent"],
    "battlesnake": [
        "width=7, height=7",
        "width=5, height=5, mode=royale, shrink_every=3, minimum_food=2",
        "width=7, height=7, mode=wrapped_constrictor",
        "",
        "width=5, height=4, mode=wrapped, food_spawn_chance=60, max_rounds=60",
        "width=6, height=6, map=royale, shrink_every=4, hazard_damage=30, food_spawn_chance=101",
        "width=6, height=6, mode=constrictor, map=empty",
    ],
    "oshi_zumo": ["", "coins=6, size=2, min_bid=0, utility=field, horizon=6", "coins=20, size=4, min_bid=2"],
    "tic_tac_toe": [""],
    "tron": [
        "",
        "width=4, height=3",
        'width=5, height=4, start="0,0 4,0", obstacles="2,1 2,2"',
        "width=9, height=8",
    ],
    "pursuit_evasion": ["", "width=3, height=5, depth=8", 'width=6, height=5, depth=12, start="3,3 0,0 5,0"'],
    "biased_rps": ["", "rock=1, paper=2, scissors=5"],
    "random_game": ["", "actions=2, depth=8, utility=sums, seed=5", "actions=7, depth=3, seed=9"],
    "connect_four": ["", "columns=5, rows=4, line=3", "columns=8, rows=5, line=4"],
    "othello": ["size=8", "size=6", "size=4, utility=discs"],
    "soccer": [
        "",
        "width=3, height=2, draw=0.0, max_moves=20",
        "width=5, height=3, draw=0.02, max_moves=30, ball=loose",
        "width=4, height=4, draw=0.03",
    ],
}


class AnyPlayer(RandomPlayer):
    """Draws among all legal actions."""

    def choose(self, state: Any, clock: Clock) -> int:
        return self._random.choice(self.game.legal_actions(state, self.player))


def recorded(name: str, number: int) -> dict[str, Any]:
    """A game as it is written down."""
    spec = f"{name}({SIZES[name][number % len(SIZES[name])]})"
    game, names = read_game(spec), SEATS[number // len(SIZES[name]) % len(SEATS)]
    drawn_start = name in ("light_riders", "tron41", "battlesnake")
    start = game.initial_state(seed=number) if drawn_start else game.initial_state()
    specs = {"best": "best" if name in OWN_BEST else "best(solve=false)", "random": "random"}
    limits = Limits(nodes=NODES)
    players = [AnyPlayer() if one == "any" else make_player(specs[one], game, limits) for one in names]
    played = play_game(game, players, start, seed=random.Random(f"{name} {number}").getrandbits(32))
    if played.faults != (None, None):
        raise SystemExit(f"{spec}, game {number}: {played.faults}")
    return {
        "game": spec,
        "start": game.to_text(start),
        "players": names,
        "plies": plies_of(game, start, played.actions),
        "result": float(played.result),
    }


def plies_of(game: Game, state: Any, actions: Any) -> str:
    """What was done at each ply."""
    plies: list[str] = []
    for first, second in actions:
        mover = game.current_player(state)
        if mover == SIMULTANEOUS:
            plies.append(f"{first},{second}")
        else:
            plies.append(f"b{second}" if mover == 1 else f"{'c' if mover == CHANCE else 'a'}{first}")
        state = game.advance(state, first, second)
    return " ".join(plies)


def main() -> None:
    """What the program does."""
    parser = argparse.ArgumentParser(description="Records games again.")
    parser.add_argument("games", nargs="*", metavar="GAME")
    parser.add_argument("--into", type=Path, default=FOLDER, metavar="FOLDER")
    told = parser.parse_args()
    for name in told.games or SIZES:
        lines = [json.dumps(recorded(name, number)) + "\n" for number in range(NUMBER)]
        content = lzma.compress("".join(lines).encode(), preset=9)
        (told.into / f"{name}.jsonl.xz").write_bytes(content)
        print(f"{name}: {len(content):,} bytes", flush=True)


if __name__ == "__main__":
    main()

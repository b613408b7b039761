"""The pictures of docs/gallery.md: each game of the library at a moment of a game between two players, as the library draws it.

python tools/gallery.py           # all games; minutes if their searches were never compiled
python tools/gallery.py othello   # some
"""

import sys
from collections.abc import Iterable
from functools import reduce
from pathlib import Path

from saddlepoint.algorithms import Limits
from saddlepoint.game.picture import continued
from saddlepoint.game.spec import parse_spec
from saddlepoint.games.catalogue.games import GAMES, make_game
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.play.game import play_game

FOLDER = Path(__file__).resolve().parents[1] / "docs/images/gallery"
WIDTH = 220
"""Pixels of a picture, at most."""
SHOWN = {
    "light_riders": ("light_riders", "riders_smab", 0.7),
    "simplexity": ("simplexity", "minimax", 0.6),
    "tron41": ("tron41(map=divider)", "tron_own_fill", 0.7),
    "goofspiel": ("goofspiel(cards=6)", "random", 0.5),
    "rubiks_flip": ("rubiks_flip", "bob", 0.7),
    "battlesnake": ("battlesnake", "snake_voronoi", 0.7),
    "oshi_zumo": ("oshi_zumo", "random", 0.5),
    "tic_tac_toe": ("tic_tac_toe", "random", 0.6),
    "tron": ("tron(width=9, height=9)", "random", 0.8),
    "pursuit_evasion": ("pursuit_evasion(width=5, height=5)", "random", 0.5),
    "biased_rps": ("biased_rps", "random", 0.0),
    "random_game": ("random_game", "random", 0.0),
    "connect_four": ("connect_four", "mcts", 0.6),
    "othello": ("othello", "mcts", 0.5),
    "soccer": ("soccer", "random", 0.3),
}
"""Of each game its spec, who plays, and the part of the game that is over in the picture."""


def svg_of(name: str) -> str:
    """The picture of a game."""
    spec, player, part = SHOWN[name]
    game = make_game(name, **parse_spec(spec).options)
    players = [make_player(player, game, Limits(nodes=300)) for _ in range(2)]
    states = [game.initial_state()]
    play_game(game, players, states[0], seed=1, on_step=lambda state, _: states.append(state))
    shown = states[: 1 + int(part * (len(states) - 1))]
    return reduce(continued, map(game.picture, shown)).to_svg(WIDTH)


def write(names: Iterable[str]) -> None:
    """The files of these games."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in names:
        (FOLDER / f"{name}.svg").write_text(svg_of(name) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(sys.argv[1:] or GAMES)

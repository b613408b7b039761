"""The games of the catalogue with parameters that let them end soon, for tests that play each of them whole."""

from saddlepoint.games.catalogue.games import GAMES

_PARAMETERS = {
    "light_riders": "(width=6, height=6)",
    "simplexity": "(rows=4, cols=4, win=3)",
    "tron41": "(map=small_room)",
    "goofspiel": "(cards=3)",
    "battlesnake": "(food_spawn_chance=100)",  # on its usual board; food comes after every round
    "oshi_zumo": "(coins=6, size=2)",
    "tron": "(width=4, height=4)",
    "pursuit_evasion": "(width=3, height=3, depth=3)",
    "random_game": "(actions=2, depth=2)",
    "connect_four": "(columns=4, rows=4, line=3)",
    "othello": "(size=4)",
    "soccer": "(max_moves=6)",
}
SHORT = {name: _PARAMETERS.get(name, "") for name in GAMES}
"""By name. A game that is not above ends soon as it is."""

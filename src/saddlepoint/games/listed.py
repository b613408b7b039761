"""The games' entries in lists as plain data, so that listing them loads neither rules nor Numba."""

from typing import Any, NamedTuple


class Facts(NamedTuple):
    """The entry of a game in a list."""

    title: str
    summary: str
    parameters: dict[str, Any]
    """Names and default values."""


# `python tools/listed_games.py` makes this of the classes. A game that is not here is loaded for a list.
FACTS = {
    "light_riders": Facts(
        "Light Riders",
        "two riders leave trails and move at once; the last one alive wins",
        {"width": 16, "height": 16, "max_rounds": 0},
    ),
    "simplexity": Facts(
        "Simplexity",
        "pieces with colour and shape fall into columns; four of either in a row",
        {"rows": 6, "cols": 7, "win": 4, "round": 10, "square": 11, "supply": "same"},
    ),
    "tron41": Facts(
        "Tron-41",
        "trails on a walled map, in turn, with traps, speed, bombs and armor; who crashes loses",
        {"map": "joust", "start": "map"},
    ),
    "goofspiel": Facts(
        "Goofspiel",
        "both bid a card at once for each prize; the most points win",
        {"cards": 4, "order": "random", "utility": "win", "lowest": 1},
    ),
    "rubiks_flip": Facts(
        "Rubik's Flip",
        "tumble an opponent's tile, place an own one; three locked in a row win",
        {"double_lock": "draw"},
    ),
    "battlesnake": Facts(
        "Battlesnake",
        "two snakes move at once, eat and grow; the last one alive wins",
        {
            "width": 11,
            "height": 11,
            "mode": "standard",
            "map": "standard",
            "food_spawn_chance": 15,
            "minimum_food": 1,
            "hazard_damage": 14,
            "shrink_every": 25,
            "max_rounds": 2000,
            "hazard_stack": 1,
        },
    ),
    "oshi_zumo": Facts(
        "Oshi-Zumo",
        "both bid coins at once to push a wrestler off the other's end of the board",
        {"coins": 10, "size": 3, "min_bid": 1, "utility": "win", "horizon": 0},
    ),
    "tic_tac_toe": Facts("Tic-tac-toe", "crosses and noughts in turn; three in a row win", {}),
    "tron": Facts(
        "Tron",
        "both leave trails and move at once; who cannot move loses",
        {"width": 6, "height": 6, "start": "corners", "obstacles": ""},
    ),
    "pursuit_evasion": Facts(
        "Pursuit and Evasion",
        "two pursuers and an evader move at once on a grid; who is free to the end wins",
        {"width": 4, "height": 4, "depth": 4, "start": "corners"},
    ),
    "biased_rps": Facts(
        "Biased rock-paper-scissors",
        "rock, paper, scissors, once; each win is worth another amount",
        {"rock": 50, "paper": 25, "scissors": 5},
    ),
    "random_game": Facts(
        "Random Game",
        "both choose at once, a fixed number of times; every path has a random result",
        {"actions": 3, "depth": 4, "utility": "uniform", "seed": 0},
    ),
    "connect_four": Facts(
        "Connect Four",
        "discs fall into columns in turn; four in a row win",
        {"columns": 7, "rows": 6, "line": 4},
    ),
    "othello": Facts(
        "Othello",
        "enclosed discs are turned over, in turn; the most discs win",
        {"size": 8, "utility": "win"},
    ),
    "soccer": Facts(
        "Soccer",
        "two players step at once on a small field; who carries the ball into the other's goal wins",
        {"width": 5, "height": 4, "draw": 0.1, "max_moves": 1000, "ball": "given"},
    ),
}

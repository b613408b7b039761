"""Rubik's Flip, solved: all 33 thousand million positions, in about a thousand million classes, in a minute or two."""

from .database import Database, DatabaseError, default_path, solve_to_file, write_database
from .endgame import EndgameSolver, Line, Outcome
from .sweep import SolvedLayer, solve_layers

__all__ = [
    "Database",
    "DatabaseError",
    "EndgameSolver",
    "Line",
    "Outcome",
    "SolvedLayer",
    "default_path",
    "solve_layers",
    "solve_to_file",
    "write_database",
]

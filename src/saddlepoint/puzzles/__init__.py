"""Puzzles: positions with one good move, which is proven by exact search, and how players do on them."""

"""Searches of games in which both players move at the same time: a matrix game at every position."""

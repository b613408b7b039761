"""Tron-41 as its course plays it: the course's bot files run here, our players as its bot files, its runner."""

MAX_WAIT = 0.3
"""Seconds a move in the course's runner of 2018 and 2019; later 1.0."""

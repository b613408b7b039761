"""The course's limits."""

MAX_WAIT = 0.3
"""Seconds a move in the course's runner of 2018 and 2019; later 1.0."""

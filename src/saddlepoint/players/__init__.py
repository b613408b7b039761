"""Somebody who chooses moves: searching, random, human, another process; the roster of named ones."""

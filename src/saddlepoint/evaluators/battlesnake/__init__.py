"""Evaluators of Battlesnake."""

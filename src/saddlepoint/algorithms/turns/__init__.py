"""Searches of turn-based games, with the tables and orders that they share."""

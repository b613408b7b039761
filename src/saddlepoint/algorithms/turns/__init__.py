"""Searches of games in which the players move in turn, with the tables and orders that they share."""

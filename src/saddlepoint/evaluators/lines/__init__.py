"""Pieces in a row: how near each player is to a line."""

"""Evaluators of each player's room: territory, chambers, and separated areas."""

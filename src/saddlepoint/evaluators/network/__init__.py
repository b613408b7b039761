"""Evaluators that are small networks, fitted to a game's own positions and kept in files."""

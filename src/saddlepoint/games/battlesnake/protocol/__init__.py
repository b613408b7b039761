"""Battlesnake over HTTP, API version 1."""

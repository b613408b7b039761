"""Searches, one algorithm family a file; generic over games and evaluators."""

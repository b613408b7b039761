"""A game fits an evaluator of its own: games that it plays against itself, a small network, a gate."""

"""The evaluators of Simplexity."""

"""Evaluators for Rubik's Flip alone."""

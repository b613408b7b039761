"""Evaluators for Tron-41 alone."""

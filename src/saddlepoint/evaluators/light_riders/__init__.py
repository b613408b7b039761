"""Evaluators for Light Riders alone."""

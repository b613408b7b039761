"""Searches that sample: a tree that grows by simulated games."""

"""Solving with many processes: positions are shared out chunk by chunk, with the same solution as on one machine."""

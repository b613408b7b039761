"""Two-player games with simultaneous or alternating moves: search, equilibria, arena."""

"""Players: the base class, and the players that think in this process."""

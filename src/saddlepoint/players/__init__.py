"""What a player is, and the players that think in this process."""

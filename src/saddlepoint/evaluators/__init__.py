"""What a position is worth, for games too deep to search out."""

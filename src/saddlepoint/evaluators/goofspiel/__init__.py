"""What a position of Goofspiel is worth."""

"""Take-away, a game for saddlepoint in a package of its own."""

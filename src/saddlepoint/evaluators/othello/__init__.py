"""What a position of Othello is worth."""

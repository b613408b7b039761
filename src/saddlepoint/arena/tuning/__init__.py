"""Better numbers for a player, found by games."""

"""A spec becomes a player; the players that have a name."""

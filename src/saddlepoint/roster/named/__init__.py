"""The players that have a name, by game."""

"""How much room each player has: territory, chambers, and what is left once the players are separated."""

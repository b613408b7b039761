"""Games between players: match, statistics."""

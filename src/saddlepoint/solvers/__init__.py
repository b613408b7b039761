"""Games solved from the end: a sweep over all positions, the file it leaves, exact play from that file."""

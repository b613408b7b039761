"""A ledger as one page for a browser: ratings, who beats whom, latency, losses, lengths, openings, replays."""

"""One game between two players: how it is played, what is recorded of it, and its replay."""

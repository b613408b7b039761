"""The viewer of games: how a game is drawn in a browser, and files that hold one."""

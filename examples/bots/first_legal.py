"""A whole bot for any game, with docs/protocol.md: it plays the first legal move."""

import sys

moves = []
for line in sys.stdin:
    verb, _, rest = line.strip().partition(" ")
    if verb == "begin":
        print("ready", flush=True)
    elif verb == "position":
        position = [sys.stdin.readline().rstrip("\n") for _ in range(int(rest))]
    elif verb == "legal":
        moves = rest.split()
    elif verb == "go":
        print("move", moves[0], flush=True)
    elif verb == "quit":
        break

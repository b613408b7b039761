"""A whole bot for Light Riders in riddles.io's protocol, with docs/contests-others.md: it goes where most ways lead on."""

import sys

STEPS = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}
settings = {}
field = []


def is_free(x, y):
    width, height = int(settings["field_width"]), int(settings["field_height"])
    return 0 <= x < width and 0 <= y < height and field[y * width + x] == "."


def ways_on(x, y):
    return sum(is_free(x + dx, y + dy) for dx, dy in STEPS.values())


def move():
    y, x = divmod(field.index(settings["your_botid"]), int(settings["field_width"]))
    free = {word: (x + dx, y + dy) for word, (dx, dy) in STEPS.items() if is_free(x + dx, y + dy)}
    return max(free, key=lambda word: ways_on(*free[word]), default="pass")


for line in sys.stdin:
    match line.split():
        case ["settings", key, value]:
            settings[key] = value
        case ["update", "game", "field", cells]:
            field = cells.split(",")
        case ["action", "move", _]:
            print(move(), flush=True)

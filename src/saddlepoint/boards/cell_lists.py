"""Cells as people write them in a game's parameters: `0,0 3,5`, each a column and a row from the top left."""

from ..game import GameError

Place = tuple[int, int]


def read_places(text: str, width: int, height: int, what: str) -> tuple[Place, ...]:
    """The cells that a text lists, all on a field of `width` x `height` and no two the same; raises GameError."""
    places: list[Place] = []
    for word in text.split():
        numbers = word.split(",")
        if len(numbers) != 2 or not all(number.isdecimal() for number in numbers):
            raise GameError(f"{what} must be cells such as '0,0 3,5', columns and rows from the top left, not {text!r}")
        x, y = int(numbers[0]), int(numbers[1])
        if not (x < width and y < height):
            raise GameError(f"{what}: the cell {word} is outside the {width}x{height} field")
        if (x, y) in places:
            raise GameError(f"{what}: the cell {word} is there twice")
        places.append((x, y))
    return tuple(places)

"""What games are called in headings."""

import re

_BREAK = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_+")


def title_of_class(name: str) -> str:
    """A title made from a class's name: "MyGame" gives "My Game"."""
    words = _BREAK.sub(" ", name).strip()
    return words[:1].upper() + words[1:] or name


def title_of(cls: type) -> str:
    """A game class's title: its own, not one of a class that it is made from, or one made from its name."""
    own = vars(cls).get("title")
    return own if own and isinstance(own, str) else title_of_class(cls.__name__)

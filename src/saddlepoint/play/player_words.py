"""What a player is called in a heading, in words; its spec stands beside it in brackets."""

import re
from pathlib import PurePath

_SPEC = re.compile(r"([a-z]\w*)(\(.*\))?", re.DOTALL)
_FILE = re.compile(r"[^\s(]*\.py\b")


def player_words(name: str) -> str:
    """A search by its title, a Python file by its name, a program or a server as such; what is no spec is left as it is."""
    if name.startswith("cmd:"):
        return "Program"
    if name.startswith(("http://", "https://")):
        return "Server"
    if file := _FILE.match(name):
        return PurePath(file[0]).stem
    found = _SPEC.fullmatch(name)
    if found is None:
        return name
    from ..algorithms import ALGORITHMS

    title = ALGORITHMS[found[1]].title if found[1] in ALGORITHMS else ""
    return title or found[1].replace("_", " ").capitalize()

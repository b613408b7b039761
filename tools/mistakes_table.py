"""What beginners read for the mistakes in tests/helpers/beginners_games.py: each is made, and docs/mistakes.md is written.

python tools/mistakes_table.py > docs/mistakes.md
"""

import re
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from compiled.test_errors import EXPECTED
from helpers import mistakes
from helpers.beginners_games import BEFORE, LAST, NEW, Mistake
from helpers.telling import mine, said_by_check_game, said_by_program
from saddlepoint.compiled import endless_loops as patience

INTRODUCTION = """\
# Mistakes and messages

This page lists a hundred mistakes in the rules of a game, with the message for each, for a beginner whose game was refused.
Search it for a piece of your message, or look under the method that the message names. [Errors in rules](game-errors.md) is shorter.

Messages are cut: the method before them (`Mine.returns`, `next_state must compile:`) and the line and position after them are left out.
A message is *clear* if `saddlepoint check` and every other command name the method, say in one sentence what is wrong and what to do,
and show the line. `python tools/mistakes_table.py` makes each mistake, and writes this page.
"""
GROUPS = {
    "The class and the file": ("Mine", "mine.py"),
    "initial_state and the state": ("initial_state",),
    "current_player, chance and limits": ("current_player", "chance_outcomes", "max_actions", "max_depth"),
    "legal_actions": ("legal_actions",),
    "next_state, and what compiled code cannot do": ("next_state", "deeper", "count"),
    "returns": ("returns",),
    "Names, texts and hashes": ("action_to_string", "string_to_action", "from_text", "render", "hash"),
}
"""The headings, and the methods or files that the messages below them name."""
_BEFORE = re.compile(
    r"(?:must (?:not raise in plain Python|compile|give what the state's fields are annotated with): "
    r"|must give a state that compiled code can hold; |must give a state, and (?=a state must))"
)


class Row(NamedTuple):
    method: str
    wrote: str
    sentence: str
    how: str


def told(mistake: Mistake, folder: Path) -> tuple[str, str]:
    """What is said of a mistake, and whether that is clear."""
    path = mine(mistake, folder)
    said = [] if mistake.only_command else said_by_check_game(mistake, path)
    code, lines = 2, said
    if not mistake.only_checked:
        code, lines = said_by_program(
            "match", "random", "random", "--game", f"{path}:{mistake.spec}", "-n", "2", "--seed", "1"
        )
        lines = [line.removeprefix("saddlepoint: ") for line in lines]
    sides = [" ".join(side) for side in ([lines] if mistake.only_command else [said, lines])]
    sentence = (lines if mistake.only_command else said or [""])[0].removeprefix("Mine(): ")
    return sentence, verdict(sides, code, [mistake.says, mistake.way, mistake.method, mistake.line])


def told_of_kernel(name: str) -> tuple[str, str]:
    """The same of a mistake in a kernel's body."""
    said = said_by_check_game(Mistake(name, "", [], "", ""), Path(str(mistakes.__file__)), name)
    code, lines = said_by_program(
        "match", "random", "random", "--game", f"{mistakes.__file__}:{name}", "-n", "2", "--seed", "1"
    )
    how = verdict([" ".join(said), " ".join(lines)], code, [LAST[name][1], EXPECTED[name][0]])
    return (said or [""])[0].removeprefix(f"{name}(): "), how


def verdict(sides: list[str], code: int, pieces: list[str]) -> str:
    if code == 0 or not all(sides):
        return "silent"
    return "clear" if code == 2 and all(piece in side for piece in pieces for side in sides) else "unclear"


def short(method: str, sentence: str, pieces: list[str]) -> str:
    """A message without the method, which the heading names, and without words before and after the pieces."""
    sentence = re.sub(r" \((?:asked|mine\.py, line) .*\)$", "", sentence)
    for begins in (rf"(?:Mine\.)?{re.escape(method)} ", _BEFORE):
        found = re.match(begins, sentence)
        if found and all(piece in sentence[found.end() :] for piece in pieces):
            sentence = sentence[found.end() :]
    if not all(piece in sentence for piece in pieces):
        return sentence  # it is unclear
    first = min(sentence.find(piece) for piece in pieces)
    last = max(sentence.find(piece) + len(piece) for piece in pieces)
    if further := re.search(r"(?:, and |; )", sentence[last:]):
        sentence = sentence[: last + further.start()]
    begins = first - len(sentence[:first].rpartition(": ")[2]) if len(pieces) > 1 else 0
    return sentence[begins:]


def page(rows: list[Row]) -> str:
    """The whole page. Raises ValueError for a mistake whose method has no heading."""
    headed = {method for methods in GROUPS.values() for method in methods}
    if unknown := {row.method for row in rows} - headed:
        raise ValueError(f"no heading names {', '.join(sorted(unknown))}")
    parts = [INTRODUCTION]
    for heading, methods in GROUPS.items():
        below = sorted((row for row in rows if row.method in methods), key=lambda row: row.sentence.lower())
        cells = [[cell.replace("|", "\\|") for cell in row[1:]] for row in below]
        parts += [
            f"## {heading}\n",
            "| you wrote|you read| |\n|---|---|---|",
            "\n".join(f"| {'|'.join(row)}|" for row in cells) + "\n",
        ]
    return "\n".join(parts)


def row_of(mistake: Mistake) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        sentence, how = told(mistake, Path(folder))
    pieces = [mistake.says, mistake.way]
    return Row(mistake.method, mistake.wrote, short(mistake.method, sentence, pieces), how)


def row_of_kernel(name: str) -> Row:
    method, (wrote, way) = EXPECTED[name][0], LAST[name]
    sentence, how = told_of_kernel(name)
    rule = "next_state" if method in ("deeper", "count") else method
    return Row(method, wrote, short(rule, sentence, [way]), how)


def main() -> None:
    patience.SECONDS = 1.0
    kernels = [row_of_kernel(name) for name in LAST]
    print(page([*map(row_of, [*NEW, *BEFORE]), *kernels]), end="")


if __name__ == "__main__":
    main()

"""What beginners are told for the mistakes in tests/beginners: each is made, and the tables of docs/mistakes.md are written.

python tools/mistakes_table.py > docs/mistakes.md
"""

import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from beginners.games import BEFORE, LAST, NEW, Mistake
from beginners.telling import mine, said_by_check_game, said_by_program
from compiled import mistakes
from compiled.test_errors import EXPECTED
from saddlepoint.compiled import waiting_line as patience

INTRODUCTION = """\
# What a mistake is told by

**You get** what each of a hundred mistakes in a game is told by. **Time:** a look-up.

Each of these mistakes was made in a small game, and the game given to `check_game` and to `saddlepoint match --game ./mine.py:Mine`.
*Clear* is a sentence that names the method (or the file), says what is wrong and what to do, with the line where it is in one line, and
no trace; the program ends with exit code 2. *Silent* is a mistake of which nothing is said, *unclear* the rest. The sentences are those
of `check_game`, which waited 1 s for a rule here (it waits 10); the program's are the same but for their
beginning. `python tools/mistakes_table.py` makes this page, and tests make each mistake and hold each row.
What to write instead is in [game-errors.md](game-errors.md#you-wrote-write-this).
"""


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


def row(wrote: str, sentence: str, how: str) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in (wrote, sentence, how)) + " |"


def table(mistakes_told: list[tuple[str, str, str]]) -> str:
    counts = Counter(how for _, _, how in mistakes_told)
    words = ", ".join(f"{counts[how]} {how}" for how in ("clear", "unclear", "silent"))
    rows = "\n".join(row(*one) for one in mistakes_told)
    return (
        f"{len(mistakes_told)} mistakes: {words}.\n\n| you wrote | you are told | |\n|---|---|---|\n{rows}\n"
    )


def told_of_all(chosen: list[Mistake]) -> list[tuple[str, str, str]]:
    rows: list[tuple[str, str, str]] = []
    for mistake in chosen:
        with tempfile.TemporaryDirectory() as folder:
            rows.append((mistake.wrote, *told(mistake, Path(folder))))
    return rows


def main() -> None:
    patience.SECONDS = 1.0
    kernels = [(LAST[name][0], *told_of_kernel(name)) for name in LAST]
    print(INTRODUCTION)
    print("## Of the class, the state and the methods\n")
    print(table(told_of_all(NEW)))
    print("## Of promises, the file and the body of a kernel\n")
    print(table([*told_of_all(BEFORE), *kernels]), end="")


if __name__ == "__main__":
    main()

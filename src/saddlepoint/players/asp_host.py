"""The process in which a bot file of the course runs: one JSON question a line on stdin, one JSON answer on stdout.

    python asp_host.py BOT_FILE [CLASS]

Run as a script, it needs nothing but the standard library and `asp_course.py` beside it. A question is {"decide":
{board, locs, ptm, powerups}, "limit": seconds}, {"start": seed} or {"cleanup": seed}. Answers: {"ready": true} to `start`,
{"clean": true} to `cleanup`, to `decide` {"answer": what the bot returned} or {"late": true}, to any {"error": why}. What the
bot prints is thrown away.
"""

import importlib.util
import json
import os
import random
import signal
import sys
from pathlib import Path
from typing import Any

CLASSES = ("StudentBot", "UserBot")


class TimeoutException(Exception):
    """The bot's time for this move is over."""


def _module(name: str, path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _bot(file: Path, name: str | None) -> Any:
    """The bot: the class of that name, or the first of the usual ones."""
    # Next to the file lie the modules that the bot brings; only the course's own are ours.
    sys.path[0] = str(file.parent)
    module = _module(file.stem, file)
    for wanted in (name,) if name else CLASSES:
        made = getattr(module, wanted, None)
        if made is not None:
            return made()
    raise ImportError(f"{file.name} has no class {name or ' or '.join(CLASSES)}")


def _raise_timeout(number: int, frame: object) -> None:
    raise TimeoutException("the time for this move is over")


def _reason(error: BaseException) -> str:
    return (f"{type(error).__name__}: {error}".splitlines() or [""])[0][:200]


def _decide(bot: Any, course: Any, question: dict[str, Any]) -> dict[str, Any]:
    told = question["decide"]
    start = course.TronState(
        [list(row) for row in told["board"]],
        [tuple(loc) for loc in told["locs"]],
        told["ptm"],
        {player: dict(owned) for player, owned in enumerate(told["powerups"])},
    )
    problem = course.TronProblem(start)
    signal.signal(signal.SIGALRM, _raise_timeout)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, question["limit"])
            answer = bot.decide(problem)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
    except TimeoutException:
        return {"late": True}
    except BaseException as error:
        return {"error": _reason(error)}
    return {"answer": answer if isinstance(answer, str) and len(answer) <= 10 else type(answer).__name__}


def _start(file: Path, name: str | None, seed: int | None) -> tuple[Any, Any]:
    """The course's module and the bot."""
    course = _module("asp_course", Path(__file__).resolve().parent / "asp_course.py")
    for module_name, module in course.course_modules(TimeoutException).items():
        if module_name != "support" or not (file.parent / "support.py").exists():
            sys.modules[module_name] = module
    os.chdir(file.parent)
    random.seed(seed)
    return course, _bot(file, name)


def main() -> None:
    """Answer questions until the input ends."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    file, name = Path(sys.argv[1]).resolve(), sys.argv[2] if len(sys.argv) > 2 else None
    course: Any = None
    bot: Any = None
    for line in sys.stdin:
        question = json.loads(line)
        try:
            if "decide" in question:
                answer = _decide(bot, course, question)
            elif "start" in question:
                course, bot = _start(file, name, question["start"])
                answer = {"ready": True}
            else:
                getattr(bot, "cleanup", lambda: None)()
                random.seed(question["cleanup"])
                answer = {"clean": True}
        except BaseException as error:
            answer = {"error": _reason(error)}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()

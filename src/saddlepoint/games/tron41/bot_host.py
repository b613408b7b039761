"""The process in which a bot file of the course runs: one JSON question a line on stdin, one JSON answer on stdout.

    python bot_host.py BOT_FILE [CLASS]

Run as a script, it needs `course.py` beside it, NumPy and the standard library. A question is {"decide":
{board, locs, ptm, powerups}, "limit": seconds}, {"start": seed} or {"cleanup": seed}. Answers: {"ready": true} to `start`,
{"clean": true} to `cleanup`, to `decide` {"answer": what the bot returned} or {"late": true}, to any {"error": why}. What the
bot prints is thrown away.
"""

import collections
import collections.abc
import copy
import fractions
import functools
import importlib
import importlib.util
import json
import math
import os
import random
import signal
import sys
import time
from collections.abc import Set
from pathlib import Path
from typing import Any

_NUMPY = {
    "Inf": "inf", "Infinity": "inf", "infty": "inf", "PINF": "inf", "NaN": "nan", "NAN": "nan", "float_": "float64",
    "complex_": "complex128", "unicode_": "str_", "string_": "bytes_", "product": "prod", "cumproduct": "cumprod",
    "alltrue": "all", "sometrue": "any", "row_stack": "vstack", "trapz": "trapezoid", "in1d": "isin",
    "round_": "round",
}  # fmt: skip
"""Names that NumPy 2 has changed."""


def give_back_old_names() -> None:
    """Give back, in this process alone, the names that files for Python 3.6 and NumPy 1 use."""
    for name in collections.abc.__all__:
        if not hasattr(collections, name):
            setattr(collections, name, getattr(collections.abc, name))
    for module, name, value in ((time, "clock", time.process_time), (fractions, "gcd", math.gcd)):
        if not hasattr(module, name):
            setattr(module, name, value)
    sample = random.Random.sample

    @functools.wraps(sample)
    def old_sample(self: random.Random, population: Any, k: int, **options: Any) -> list[Any]:
        return sample(self, tuple(population) if isinstance(population, Set) else population, k, **options)

    random.Random.sample = old_sample  # type: ignore[method-assign]
    random.sample = random._inst.sample  # type: ignore[attr-defined]
    numpy: Any = importlib.import_module("numpy")
    types = {"object": object, "int": int, "float": float, "str": str, "bool": bool, "complex": complex}
    renamed = {old: vars(numpy)[new] for old, new in _NUMPY.items() if new in vars(numpy)}
    for name, value in {**renamed, **types, "NINF": -math.inf}.items():
        if name not in vars(numpy):
            setattr(numpy, name, value)


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


def _timeout() -> type[Exception]:
    """The exception raised in a bot whose time is up: its own runner's, where it brings one."""
    return getattr(sys.modules.get("support"), "TimeoutException", TimeoutException)


def _raise_timeout(number: int, frame: object) -> None:
    raise _timeout()("the time for this move is over")


def _reason(error: BaseException) -> str:
    return (f"{type(error).__name__}: {error}".splitlines() or [""])[0][:200]


class _Host:
    """The bot, and the course's module of problems: its own where one lies beside it."""

    def __init__(self, file: Path, name: str | None, seed: int | None) -> None:
        course = _module("asp_course", Path(__file__).resolve().parent / "course.py")
        give_back_old_names()
        for module_name, module in course.course_modules(TimeoutException).items():
            if not (file.parent / f"{module_name}.py").exists() and not (file.parent / module_name).is_dir():
                sys.modules[module_name] = module
        os.chdir(file.parent)
        random.seed(seed)
        self._bot = _bot(file, name)
        self._course = course
        self._prototype: Any = None
        try:
            own: Any = importlib.import_module("tronproblem")
        except Exception:  # the bot does without
            own = course
        self._problem = getattr(own, "TronProblem", course.TronProblem)
        self._state = getattr(own, "TronState", course.TronState)

    def cleanup(self, seed: int | None) -> None:
        self._prototype = None
        getattr(self._bot, "cleanup", lambda: None)()
        random.seed(seed)

    def decide(self, question: dict[str, Any]) -> dict[str, Any]:
        """The bot's answer to a question, or that it was late, or its error."""
        problem = self._problem_of(question["decide"])
        signal.signal(signal.SIGALRM, _raise_timeout)
        try:
            try:
                signal.setitimer(signal.ITIMER_REAL, question["limit"])
                answer = self._bot.decide(problem)
            finally:
                signal.setitimer(signal.ITIMER_REAL, 0.0)
        except BaseException as error:
            return {"late": True} if isinstance(error, _timeout()) else {"error": _reason(error)}
        return {"answer": answer if isinstance(answer, str) and len(answer) <= 10 else type(answer).__name__}

    def _problem_of(self, position: dict[str, Any]) -> Any:
        """The problem, made afresh for each move from what the constructor made at the game's first one."""
        if self._prototype is None:
            self._prototype = self._course.problem_on(self._problem, position["board"], position["ptm"])
        problem = copy.deepcopy(self._prototype)
        place: list[Any] = [
            [list(row) for row in position["board"]],
            [tuple(loc) for loc in position["locs"]],
            position["ptm"],
        ]
        powerups = {player: dict(owned) for player, owned in enumerate(position["powerups"])}
        try:
            state = self._state(*place, powerups)
        except TypeError:
            state = self._course.TronState(*place, powerups)
        problem.set_start_state(state)
        return problem


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    file, name = Path(sys.argv[1]).resolve(), sys.argv[2] if len(sys.argv) > 2 else None
    host: Any = None
    for line in sys.stdin:
        question = json.loads(line)
        try:
            if "decide" in question:
                answer = host.decide(question)
            elif "start" in question:
                host = _Host(file, name, question["start"])
                answer = {"ready": True}
            else:
                host.cleanup(question["cleanup"])
                answer = {"clean": True}
        except BaseException as error:
            answer = {"error": _reason(error)}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()

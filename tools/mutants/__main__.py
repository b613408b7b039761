"""`make mutants`: see the package's docstring. Run it with `python tools/mutants`; it goes on where it stopped."""

import argparse
import contextlib
import hashlib
import json
import os
import signal
import sys
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any

# Before numpy and numba are loaded: kernels run as plain Python, and a process that forks has one thread.
os.environ |= {"NUMBA_DISABLE_JIT": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parents[1]))

from mutants.choice import Mutant, chosen, digest_of, explanations  # noqa: E402
from mutants.rooms import CHECKOUT, PACKAGE, ROOMS, TESTS, Group  # noqa: E402
from mutants.trial import Baseline, Place, Verdict, baseline, verdict  # noqa: E402

RESULTS = CHECKOUT / ".mutants"
NEEDED = 0.95
"""The share that must be killed or explained."""
_LOADED = (
    "pytest",
    "hypothesis",
    "numpy",
    "numba",
    "scipy.optimize",
    "scipy.sparse",
    "scipy.stats",
    "psutil",
    "typer",
    "rich",
)


class Results:
    """What became of each change, one line of JSON each; the last one counts."""

    def __init__(self) -> None:
        RESULTS.mkdir(exist_ok=True)
        self.path = RESULTS / "results.jsonl"
        self.known: dict[str, dict[str, Any]] = {}
        if self.path.exists():
            for line in self.path.read_text().splitlines():
                with contextlib.suppress(ValueError):  # a run that was killed may have left half a line
                    entry = json.loads(line)
                    self.known[entry["key"]] = entry

    def is_settled(self, mutant: Mutant, explained: bool) -> bool:
        """Whether the change was tried. One that survived is tried again when its tests are others, unless it is explained."""
        entry = self.known.get(mutant.key)
        if entry is None or entry["outcome"] != "survived" or explained:
            return entry is not None
        return entry["tests"] == digest_of(mutant.group.test_files())

    def keep(self, mutant: Mutant, found: Verdict, tests: str) -> None:
        """Enter what became of a change; `tests` is the digest of the tests that it was tried with."""
        entry = {"key": mutant.key, "tests": tests, **asdict(found)}
        self.known[mutant.key] = entry
        with self.path.open("a") as file:
            file.write(json.dumps(entry) + "\n")


class Baselines:
    """The baseline of every file of tests, kept while neither it nor the package changes."""

    def __init__(self, place: Place) -> None:
        self.place, self.path = place, RESULTS / "baselines.json"
        self.known: dict[str, Any] = json.loads(self.path.read_text()) if self.path.exists() else {}
        self.package = digest_of(sorted(PACKAGE.rglob("*.py")))

    def of(self, group: Group) -> dict[str, float]:
        """The seconds of each test of a group that can be used."""
        found: dict[str, float] = {}
        for tests in group.test_files():
            key = f"{self.package} {digest_of([tests])} {tests.name}"
            if key not in self.known:
                self.known[key] = asdict(self._measured(tests))
                self.path.write_text(json.dumps(self.known))
            found |= self.known[key]["seconds"]
        return found

    def _measured(self, tests: Path) -> Baseline:
        found = baseline(self.place, tests)
        print(f"{tests.relative_to(TESTS)}: {len(found.seconds)} tests in {found.total:.0f} s", flush=True)
        for test, why in found.left_out.items():
            if why != "skipped":
                print(f"    left out: {test}: {why}", flush=True)
        return found


def try_all(todo: list[Mutant], results: Results, workers: int, deadline: float) -> None:
    """Try the changes, some at the same time, until all are tried or the time is over."""
    for module in _LOADED:
        __import__(module)
    places = [Place() for _ in range(workers)]
    unchanged = Place()
    running: dict[int, Mutant] = {}
    baselines = Baselines(unchanged)
    ready: dict[Group, tuple[dict[str, float], str]] = {}
    try:
        # Rooms mixed, so that a run that is cut short has seen something of each.
        waiting = sorted(todo, key=lambda mutant: hashlib.sha256(mutant.key.encode()).digest())
        while running or (waiting and time.monotonic() < deadline):
            for number, place in enumerate(places):
                if number in running:
                    ended = place.poll()
                    if ended is not None:
                        found = verdict(place, *ended)
                        mutant = running.pop(number)
                        results.keep(mutant, found, ready[mutant.group][1])
                        print(f"{found.outcome:8} {found.seconds:5.1f} s  {mutant}", flush=True)
                elif waiting and time.monotonic() < deadline:
                    mutant = waiting.pop()
                    if mutant.group not in ready:
                        ready[mutant.group] = baselines.of(mutant.group), digest_of(mutant.group.test_files())
                    first = ready[mutant.group][0]
                    running[number] = mutant
                    limit = 30 + 5 * sum(first.values())
                    text = mutant.site.applied(mutant.source.read_text())
                    place.start(mutant.group.test_files(), first, limit, mutant.source, text)
            time.sleep(0.02)
    finally:
        for place in [*places, unchanged]:
            place.close()


def summary(mutants: list[Mutant], results: Results) -> bool:
    """Print what became of the changes; whether enough of them are killed or explained."""
    reasons = explanations()
    rooms: dict[str, Counter[str]] = {room: Counter() for room in ROOMS}
    open_: list[Mutant] = []
    for mutant in mutants:
        entry = results.known.get(mutant.key)
        outcome = "not tried" if entry is None else entry["outcome"]
        if outcome == "survived" and mutant.name in reasons:
            outcome = "explained"
        elif outcome == "survived":
            open_.append(mutant)
        rooms[mutant.room][outcome] += 1
    if open_:
        print("\nSurvived, not explained (the line in quotes is the name for tools/mutants/explained.toml):")
        for mutant in open_:
            print(f"- {mutant}\n    {mutant.name!r}")
    columns = ("killed", "timeout", "explained", "survived", "not tried")
    print(f"\n{'':12}" + "".join(f"{column:>11}" for column in columns))
    total: Counter[str] = Counter()
    for room, counts in rooms.items():
        print(f"{room:12}" + "".join(f"{counts[column]:11}" for column in columns))
        total += counts
    print(f"{'all':12}" + "".join(f"{total[column]:11}" for column in columns))
    seen = len(mutants) - total["not tried"]
    good = seen - total["survived"]
    print(
        f"{good} of {seen} changes were noticed or are explained ({good / max(seen, 1):.1%}); {NEEDED:.0%} are needed."
    )
    return total["not tried"] == 0 and good >= NEEDED * seen


def main() -> int:
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("--number", type=int, default=50, help="changes in each room (50)")
    parser.add_argument("--seed", type=int, default=10, help="which ones are drawn (10)")
    parser.add_argument("--workers", type=int, default=2, help="trials at the same time (2)")
    parser.add_argument(
        "--minutes", type=float, default=110.0, help="begin no trial after so many minutes (110)"
    )
    parser.add_argument("--only", default="", help="only changes whose name contains this text")
    parser.add_argument("--again", action="store_true", help="try survivors again")
    parser.add_argument(
        "--list", action="store_true", help="show what was drawn and what is known of it; try nothing"
    )
    options = parser.parse_args()
    # However the run is ended, what it started ends with it.
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(130))
    mutants = [mutant for mutant in chosen(options.number, options.seed) if options.only in mutant.name]
    results = Results()
    if options.list:
        for mutant in mutants:
            entry = results.known.get(mutant.key, {"outcome": "not tried"})
            print(f"{entry['outcome']:9} {mutant}")
    else:
        reasons = explanations()
        todo = [
            mutant
            for mutant in mutants
            if not results.is_settled(mutant, mutant.name in reasons)
            or (options.again and results.known[mutant.key]["outcome"] == "survived")
        ]
        print(f"{len(mutants)} changes, {len(todo)} of them to be tried", flush=True)
        if todo:
            try_all(todo, results, options.workers, time.monotonic() + 60 * options.minutes)
    return 0 if summary(mutants, results) else 1


if __name__ == "__main__":
    sys.exit(main())

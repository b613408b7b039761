"""Does a change of the code change what users get? Record what a clone does, and compare two records.

    python tools/freeze.py record before.json                        # of this clone
    python tools/freeze.py record after.json --clone ../other
    python tools/freeze.py compare before.json after.json
    python tools/freeze.py speed . ../other                          # by turns, so on one machine at one time

Only what users have is asked: the commands with --json, the page's requests, what is exported, and the rules of the games. So a
clone whose modules were moved can be compared with one before. Nothing is limited by time, so two records of one version should be equal.
Exit code 1 where something differs. PARTS, --positions, --nodes and --games make it smaller: much of the time is compiling.
"""

import argparse
import contextlib
import hashlib
import io
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

SOLVED = (
    "tic_tac_toe", "biased_rps", "goofspiel(cards=3)", "goofspiel(cards=4)", 'goofspiel(cards=4, order="descending")', "goofspiel(cards=5)",
    'goofspiel(cards=4, utility="points")', "oshi_zumo(coins=6)", "oshi_zumo(coins=10, size=2)", "oshi_zumo(coins=8, min_bid=0, horizon=6)",
    "random_game", "random_game(actions=2, depth=6)", 'random_game(utility="sums")', "pursuit_evasion", "tron(width=4, height=4)",
    "light_riders(width=4, height=4)", "connect_four(columns=4, rows=4)", "othello(size=4)", "simplexity(rows=3, cols=3, win=3)",
    "soccer(draw=0.0)",
)  # fmt: skip
"""Games whose file of a solution is compared byte by byte."""
SPEED_NODES = 300_000
_UNSTEADY = {
    "seconds",
    "time",
    "times",
    "created",
    "finished",
    "started",
    "duration",
    "moves_per_second",
    "version",
    "file",
    "ms",
    "speed",
}
"""Keys of JSON that differ from run to run."""


def steady(value: Any) -> Any:
    """The same JSON without what depends on the clock."""
    if isinstance(value, dict):
        return {key: steady(inner) for key, inner in value.items() if key not in _UNSTEADY}
    return [steady(inner) for inner in value] if isinstance(value, list) else value


def said(*words: object) -> Any:
    """What a command prints with --json, or its exit code where it refuses. The program runs in this process."""
    import saddlepoint.cli.program  # the clone's

    out = io.StringIO()
    before = signal.getsignal(signal.SIGINT)
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            saddlepoint.cli.program.app([str(word) for word in words], standalone_mode=False)
    except SystemExit as stopped:
        if stopped.code:
            return {"refused": stopped.code}
    except Exception as error:  # a refusal, whatever its class is called in that clone
        return {"refused": type(error).__name__}
    finally:
        signal.signal(signal.SIGINT, before)
    text = out.getvalue()
    return steady(json.loads(text)) if text.strip() else None


def games() -> dict[str, Any]:
    """Every game, as it is without options, by its name."""
    import saddlepoint
    import saddlepoint.games

    kinds = (getattr(saddlepoint.games, name) for name in dir(saddlepoint.games))
    return {
        kind.name: kind()
        for kind in kinds
        if isinstance(kind, type) and issubclass(kind, saddlepoint.Game) and kind.name
    }


def texts(game: Any, count: int) -> list[str]:
    """Positions in which somebody chooses, from random games, as text."""
    from saddlepoint import CHANCE, TERMINAL

    draw, found = random.Random(game.name), []
    while len(found) < count:
        state, path = game.initial_state(), []
        while (node := game.current_player(state)) != TERMINAL:
            players = game.players_to_act(state)
            path += [state] if players else []
            chosen = [
                draw.choice(game.choices(state, player)) if player in players else -1 for player in (0, 1)
            ]
            if node == CHANCE:
                chosen[0] = draw.choice(game.chance_outcomes(state))[0]
            state = game.advance(state, *chosen)
        found.append(game.to_text(draw.choice(path)))
    return found


def surface(_: argparse.Namespace) -> Iterator[tuple[str, Any]]:
    """Every option and argument."""
    import typer

    import saddlepoint.cli.program

    commands = [("saddlepoint", typer.main.get_command(saddlepoint.cli.program.app))]
    for path, command in commands:
        commands += [(f"{path} {name}", inner) for name, inner in getattr(command, "commands", {}).items()]
        for one in command.params:
            bounds = [getattr(one, name, None) for name in ("min", "max")]
            yield (
                f"{path} {'/'.join(one.opts)}",
                [one.secondary_opts, one.required, one.nargs, bounds, repr(one.default)],
            )


def searches(asked: argparse.Namespace) -> Iterator[tuple[str, Any]]:
    """Value, nodes and strategies of every search, in positions of every game."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "position.txt")
        for name, game in games().items():
            for number, text in enumerate(texts(game, asked.positions)):
                file.write_text(text)
                answer = said("compare", file, "--game", name, "--nodes", asked.nodes, "--json")
                if "searches" not in answer:
                    yield f"{name} {number}", answer
                    continue
                for found in answer["searches"]:
                    kept = [found.get(key) for key in ("value", "bounds", "strategies", "depth")]
                    yield (
                        f"{name} {number} {found['search']}",
                        [*kept, found.get("statistics", {}).get("nodes")],
                    )


def solutions(_: argparse.Namespace) -> Iterator[tuple[str, Any]]:
    """What is printed of a solved game, and its file."""
    with tempfile.TemporaryDirectory() as folder:
        for spec in SOLVED:
            file = Path(folder, "game.sol")
            file.unlink(missing_ok=True)
            printed = said("solve", "game", spec, "-o", file, "--json")
            yield spec, [printed, hashlib.sha256(file.read_bytes()).hexdigest() if file.exists() else None]


def matches(asked: argparse.Namespace) -> Iterator[tuple[str, Any]]:
    """The games that `best` plays with `random`, move by move."""
    with tempfile.TemporaryDirectory() as folder:
        every = games()
        for name in every:
            ledger = Path(folder, f"{name}.db")
            count = asked.games // len(every) + 1
            said(
                "match",
                "best",
                "random",
                "--game",
                name,
                "-n",
                count,
                "--nodes",
                200,
                "--seed",
                1,
                "-j",
                1,
                "--ledger",
                ledger,
                "--json",
            )
            lines = Path(folder, "games.jsonl")
            said("ledger", "export", ledger, "-o", lines)
            for number, line in enumerate(lines.read_text().splitlines()):
                game = json.loads(line)
                yield (
                    f"{name} {number}",
                    {key: game.get(key) for key in ("opening", "moves", "result", "reason")},
                )


def page(asked: argparse.Namespace) -> Iterator[tuple[str, Any]]:
    """What the page is told: the catalogue, and of each game its start, a game up to its middle, and an answer."""
    command = [sys.executable, "-m", "saddlepoint", "serve", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        address = next(filter(None, (re.search(r"http://\S+/", line) for line in server.stdout)))[0]

        def told(request: str, **fields: Any) -> Any:
            body = json.dumps(fields).encode() if fields else None
            while True:
                headers = {"Content-Type": "application/json", "Origin": address[:-1]}
                question = urllib.request.Request(f"{address}api/{request}", body, headers)
                with urllib.request.urlopen(question, timeout=600) as answer:
                    if answer.status != 202:
                        return steady(json.load(answer))
                time.sleep(0.7)

        try:
            catalogue = told("catalogue")
            yield "catalogue", catalogue
            for game in catalogue["games"]:
                name = game["name"]
                yield f"{name} new", told("new", game=game["spec"])
                middle = told("middle", game=game["spec"])
                yield f"{name} middle", middle
                line = {"game": game["spec"], "start": None, "moves": middle["moves"]}
                yield f"{name} positions", told("positions", **line)
                yield f"{name} line", told("line", **line)
                to_act = middle["position"]["to_act"]
                if to_act:
                    yield (
                        f"{name} answer",
                        told("answer", **line, player=to_act[0], by="best", nodes=asked.nodes),
                    )
        finally:
            server.send_signal(signal.SIGINT)


_HOST = """
import { readFileSync } from "node:fs";
const [folder, name, nodes, count] = process.argv.slice(2);
const { Game, Searcher } = await import(`file://${folder}/saddlepoint.mjs`);
const game = await Game.load(JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8")), readFileSync(`${folder}/${name}.wasm`));
let seed = 1;
const draw = (list) => list[(seed = (seed * 48271) % 2147483647) % list.length];
const searcher = new Searcher(game, 0), found = [];
for (let tries = 0; found.length < count && tries < 50 * count; tries++) {
  let state = game.start();
  for (let ply = draw([0, 1, 2, 3, 4, 5]); ply > 0 && game.node(state) !== -4; ply--) {
    const players = game.toAct(state);
    const chosen = game.node(state) === -1 ? [draw([...game.outcomes(state)])[0], -1]
      : [0, 1].map((player) => players.includes(player) ? draw([...game.legal(state, player)]) : -1);
    state = game.next(state, ...chosen);
  }
  if (!game.toAct(state).length) continue;
  searcher.clear();
  const { value, nodes: visited, depth } = searcher.search(state, { nodes: Number(nodes) });
  found.push([value, Number(visited), depth]);
}
console.log(JSON.stringify(found));
"""


def webassembly(asked: argparse.Namespace) -> Iterator[tuple[str, Any]]:
    """Value and nodes of the exported player of each game; nothing without Node."""
    with tempfile.TemporaryDirectory() as folder:
        host = Path(folder, "host.mjs")
        host.write_text(_HOST)
        for name in games():
            refused = said("export", name, "-o", Path(folder, name))
            if refused or not shutil.which("node"):
                yield name, refused
                continue
            command = ["node", str(host), str(Path(folder, name)), name, str(asked.nodes), "10"]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            yield name, json.loads(done.stdout) if done.returncode == 0 else done.stderr.splitlines()[-5:]


PARTS: dict[str, Callable[[argparse.Namespace], Iterator[tuple[str, Any]]]] = {
    part.__name__: part for part in (surface, solutions, page, matches, searches, webassembly)
}


def worker(asked: argparse.Namespace) -> None:
    """In a process that has the clone's code: the lines of one part."""
    for key, value in {**PARTS, "nodes": nodes}[asked.part](asked):
        print(json.dumps([key, value]), flush=True)


def of_clone(clone: Path, **more: str) -> dict[str, str]:
    """The environment in which `import saddlepoint` is that clone's."""
    return {**os.environ, "PYTHONPATH": str(clone.resolve() / "src"), **more}


def record(asked: argparse.Namespace) -> int:
    """Write what a clone does as JSON."""
    found: dict[str, dict[str, Any]] = {}
    for part in asked.parts or PARTS:
        sizes = [f"--{name}={getattr(asked, name)}" for name in ("positions", "nodes", "games")]
        command = [sys.executable, __file__, "worker", part, *sizes]
        begun, lines = time.time(), {}
        with subprocess.Popen(
            command, env=of_clone(asked.clone), stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            for line in process.stdout:
                key, value = json.loads(line)
                lines[key] = value
                if sys.stderr.isatty():
                    print(f"\r{part}: {len(lines)} ({key})".ljust(100), end="\r", file=sys.stderr, flush=True)
        print(f"{part}: {len(lines)}, {time.time() - begun:.0f} s".ljust(100), file=sys.stderr)
        if process.returncode:
            return process.returncode
        found[part] = lines
        asked.out.write_text(json.dumps(found))
    return 0


def compare(asked: argparse.Namespace) -> int:
    """Print what differs between two records, a line each."""
    before, after = (json.loads(file.read_text()) for file in (asked.before, asked.after))
    differing = 0
    for part in [part for part in PARTS if part in before or part in after]:
        old, new = before.get(part, {}), after.get(part, {})
        keys = [key for key in {**old, **new} if old.get(key, "missing") != new.get(key, "missing")]
        differing += len(keys)
        print(f"{part}: {len(old)} before, {len(new)} after, {len(keys)} differ")
        for key in keys[: asked.most]:
            print(
                f"  {key}\n    before {short(old.get(key, 'missing'))}\n    after  {short(new.get(key, 'missing'))}"
            )
    return 1 if differing else 0


def short(value: Any) -> str:
    """A value on a line."""
    text = json.dumps(value)
    return text if len(text) <= 300 else f"{text[:290]}... ({len(text)} characters)"


def speed(asked: argparse.Namespace) -> int:
    """Print nodes a second of processor time and starts in both clones, by turns, the best of some rounds."""
    rows: dict[str, list[list[float]]] = {}
    for _ in range(asked.rounds):
        for side, clone in enumerate((asked.first, asked.second)):
            command = [sys.executable, __file__, "worker", "nodes"]
            done = subprocess.run(command, env=of_clone(clone), capture_output=True, text=True, check=True)
            for key, value in [*map(json.loads, done.stdout.splitlines()), *starts(clone)]:
                rows.setdefault(key, [[], []])[side].append(value)
    print(f"{'':40} {'first':>12} {'second':>12} {'second / first':>15}")
    for key, sides in rows.items():
        best = [(max if key.startswith("nodes") else min)(values) for values in sides]
        print(f"{key:40} {best[0]:12.4g} {best[1]:12.4g} {best[1] / best[0]:15.3f}")
    return 0


def nodes(_: argparse.Namespace) -> Iterator[tuple[str, float]]:
    """Nodes a second of processor time of what analyses each game, in three positions."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "position.txt")
        for name, game in games().items():
            visited, spent = 0, 0.0
            for number, text in enumerate(texts(game, 4)):
                file.write_text(text)
                begun = time.process_time()
                found = said("analyze", file, "--game", name, "--nodes", SPEED_NODES, "--json")
                if number:  # the first one loads or compiles
                    visited, spent = (
                        visited + found["statistics"]["nodes"],
                        spent + time.process_time() - begun,
                    )
            yield f"nodes/s {name}", visited / spent


def starts(clone: Path) -> list[tuple[str, float]]:
    """Seconds of processor time: an import, a listing, a first move with nothing compiled, and the same again."""
    with tempfile.TemporaryDirectory() as cache:
        game = [
            "-m",
            "saddlepoint",
            "play",
            "tic_tac_toe",
            "best",
            "random",
            "--nodes",
            "100",
            "--seed",
            "1",
            "--json",
        ]
        what = {
            "import": ["-c", "import saddlepoint"], "saddlepoint games": ["-m", "saddlepoint", "games"],
            "saddlepoint --help": ["-m", "saddlepoint", "--help"], "a game, cold": game, "a game, warm": game,
        }  # fmt: skip
        found = []
        for key, words in what.items():
            times = []
            for _ in range(1 if "cold" in key else 5):
                before = resource.getrusage(resource.RUSAGE_CHILDREN)
                environment = of_clone(clone, XDG_CACHE_HOME=cache)
                subprocess.run([sys.executable, *words], env=environment, capture_output=True, check=True)
                after = resource.getrusage(resource.RUSAGE_CHILDREN)
                times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
            found.append((f"seconds {key}", min(times)))
        return found


def main() -> int:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    does = parser.add_subparsers(required=True, metavar="record|compare|speed")
    recorded = does.add_parser("record")
    recorded.add_argument("out", type=Path)
    recorded.add_argument("parts", nargs="*", choices=[*PARTS, []], metavar="PARTS", help=" ".join(PARTS))
    recorded.add_argument("--clone", type=Path, default=Path(__file__).parents[1])
    recorded.set_defaults(run=record)
    compared = does.add_parser("compare")
    compared.add_argument("before", type=Path)
    compared.add_argument("after", type=Path)
    compared.add_argument("--most", type=int, default=10, help="differences of a part that are shown (10)")
    compared.set_defaults(run=compare)
    timed = does.add_parser("speed")
    timed.add_argument("first", type=Path)
    timed.add_argument("second", type=Path)
    timed.add_argument("--rounds", type=int, default=3)
    timed.set_defaults(run=speed)
    working = does.add_parser("worker")  # what the others start
    working.add_argument("part")
    working.set_defaults(run=lambda asked: worker(asked) or 0)
    for one in (recorded, working):
        one.add_argument("--positions", type=int, default=50)
        one.add_argument("--nodes", type=int, default=20_000)
        one.add_argument("--games", type=int, default=2_000)
    asked = parser.parse_args()
    return asked.run(asked)


if __name__ == "__main__":
    sys.exit(main())

"""The page without a server: files for any static host, or one file; with the reviews of games translated from Python."""

import base64
import hashlib
import json
import posixpath
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from importlib.resources import files
from pathlib import Path
from typing import Any

from ...algorithms import Limits, StopToken
from ...algorithms.analysis import GameReview, Standing, searched_form
from ...algorithms.analysis.fair import fair_searcher
from ...algorithms.analysis.review import ReviewedTurn, review
from ...export.process import HOST_NAMES, Exported, exported_page, notices, write
from ...export.solution import PackedSolution
from ...export.translating import translated_functions
from ...game.base import Game
from ...game.own_games import origin
from ...play.replay import FinishedGame
from ...play.review import review_finished, review_json
from ...play.viewer import embedded
from .. import limits
from ..analysis_messages import reviewed_position
from ..app import FOLDERS
from ..catalogue import row_of
from ..positions import moves_to_middle

# The review of a game for the page without a server: the Python of the program, translated to JavaScript.
#
# What it asks of a game and of searches is written in JavaScript (`page/review.js`): there they are modules of WebAssembly.


def _finished(
    game: Game,
    players: tuple[str, str],
    states: list[Any],
    actions: list[tuple[int, int]],
    result: float | None,
    faults: tuple[str, str],
    since: int,
) -> FinishedGame:
    return FinishedGame(game, players, states, actions, result, faults=faults, since=since)


def _reviewed(
    played: FinishedGame,
    algorithm: Any,
    nodes: int | None,
    seconds: float | None,
    on_standing: Callable[[Standing, int, int], None],
) -> GameReview | None:
    return review_finished(played, algorithm, Limits(nodes=nodes, seconds=seconds), on_standing=on_standing)


def _turn(
    step: int,
    value: float,
    best: tuple[int, int],
    mixtures: tuple[dict[int, float], dict[int, float]],
    played: tuple[int, int],
    loss: tuple[float, float],
    depth: int,
    exact: bool,
    after: float,
    losses: tuple[dict[int, float], dict[int, float]],
) -> ReviewedTurn:
    return ReviewedTurn(step, value, best, mixtures, played, loss, depth, exact, after, losses)


_FUNCTIONS: dict[str, Any] = {
    "finished": _finished,
    "reviewed": _reviewed,
    "position": reviewed_position,
    "json": review_json,
    "turn": _turn,
}
_GIVEN = (
    (fair_searcher, "fairSearcher"),
    (review, "lookedAt"),
    (searched_form, "searchedForm"),
    (StopToken, "neverStopped"),
)
_ATTRIBUTES = (
    *dir(Game), "quiet_outcome", "words", "since",  # of a game, and what it says of its end
    "nodes", "ended", "search", "value", "bounds", "depth", "exact", "best", "stopped",  # of searches
)  # fmt: skip


def review_script() -> str:
    """A module that has the review as JavaScript."""
    script = translated_functions("makeReview", _FUNCTIONS, _GIVEN, _ATTRIBUTES)
    return f'import {{ python }} from "./python.js";\n{script}\nexport {{ makeReview }};\n'


# Writes the page of some games as files: the page itself is that of `saddlepoint serve`, and behind it stand workers of the browser.

POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; "
    "form-action 'self'"
)
_OWN = tuple(
    f"engine/{name}.js"
    for name in (
        "worker",
        "requests",
        "analysis",
        "known",
        "files",
        "proven",
        "plain",
        "review",
        "looked",
        "means",
        "losses",
        "matrix",
        "solution",
        "solved",
    )
)


@dataclass(frozen=True)
class GameFiles:
    name: str
    row: dict[str, Any]
    """Of the catalogue."""
    files: dict[str, bytes]
    """By their names, below the page's folder."""
    said: tuple[str, ...]
    """The differences from the program, in sentences."""


def game_files(text: str, game: Game, solution: PackedSolution | None = None) -> GameFiles:
    """Compile a game for the page; raises ExportError in one sentence. `text` names it, `game` is what it names.

    With its solution the strongest level, the analysis and the review go by that.
    """
    made = exported_page(text, None if solution is None else solution.is_folded)
    about, row = made.about, row_of(text, game)
    name = re.sub(r"\W+", "_", about["game"]).strip("_")
    moves, following = moves_to_middle(game)
    about |= {
        "middle": {
            "moves": [list(one) for one in moves],
            "next": None if following is None else list(following),
        },
        "parameters": {one.name: getattr(game, one.name) for one in fields(game)},  # type: ignore[arg-type]
        "rules": origin(game) or None,
        "solution": None if solution is None else solution.about,
    }
    levels = [
        {key: one[key] for key in ("name", "nodes", "seconds") if one.get(key) is not None}
        | {"spec": one.get("instead", one["spec"])}
        for one in about["levels"]
    ]
    nothing: dict[str, list[Any]] = {
        "parameters": [],
        "players": [],
        "algorithms": [],
        "evaluators": [],
        "overlays": [],
    }
    row |= {**nothing, "spec": about["game"], "file": name, "levels": levels}
    found = {
        f"games/{name}.wasm": made.module,
        f"games/{name}.json": json.dumps(about, separators=(",", ":")).encode(),
        f"games/{name}.js": _texts(made).encode(),
    }
    if solution is not None:
        found[f"games/{name}.solution"] = solution.content
    return GameFiles(name, row, found, tuple(_differences(about)))


def _texts(made: Exported) -> str:
    """The module that has the texts and pictures of a game."""
    return (
        'export { makeTexts } from "../engine/plain.js";\n'
        if not made.texts
        else f'import {{ python }} from "../engine/python.js";\n{made.texts}\nexport {{ makeTexts }};\n'
    )


def _differences(about: dict[str, Any]) -> Iterator[str]:
    if "without_texts" in about:
        yield f"without a board, its moves by number: {about['without_texts']}"
    searching = about["levels"][: -1 if about["solution"] else None]  # the last one plays from the solution
    for level in searching:
        if "instead" in level:
            yield f"the level {level['name']} ({level['spec']}) is {level['instead']}"
        if "left_out" in level:
            yield f"the level {level['name']}: {level['left_out']}"


def page_files(games: Sequence[GameFiles], shown: str) -> dict[str, bytes]:
    """All files of the page of these games; `shown` is the game of its first screen.

    Raises ValueError where two games would have the same name.
    """
    names = [one.name.lower() for one in games]
    for one in games:
        if names.count(one.name.lower()) > 1:
            raise ValueError(
                f"two games would be called {one.name} on the page; name each once, and rename the class of one of your own"
            )
    found: dict[str, bytes] = {}
    for folder in ("static", "viewer"):
        home = FOLDERS[folder]
        found |= {
            f"{folder}/{path.relative_to(home).as_posix()}": path.read_bytes()
            for path in sorted(home.rglob("*"))
            if path.suffix in (".js", ".css", ".svg", ".html")
        }
    del found["static/index.html"]
    own = files(__package__ or "") / "page"
    found |= {
        f"static/{name}": (own / name).read_bytes() for name in ("transport.js", "places.js", "proof.js")
    }
    found |= {name: (own / name.partition("/")[2]).read_bytes() for name in _OWN}
    host = files("saddlepoint.export") / "host"
    found["engine/saddlepoint.js"] = (
        f"{(host / 'engine.js').read_text('utf-8')}\nexport {{ {HOST_NAMES} }};\n".encode()
    )
    found["engine/python.js"] = f"{(host / 'python.js').read_text('utf-8')}\nexport {{ python }};\n".encode()
    found["engine/reviewed.js"] = review_script().encode()
    for one in games:
        found |= one.files
    catalogue = {
        "games": [one.row for one in games],
        "ledgers": [],
        "replays": [],
        "fits": [],
        "limits": limits.to_json(),
        "shown": _first(games, shown).row["spec"],
    }
    found["catalogue.json"] = json.dumps(catalogue, separators=(",", ":")).encode()
    found["index.html"] = _index((FOLDERS["static"] / "index.html").read_text("utf-8")).encode()
    found["NOTICES.txt"] = notices().encode()
    found["sw.js"] = _service_worker((own / "sw.js").read_text("utf-8"), found).encode()
    return found


def _first(games: Sequence[GameFiles], shown: str) -> GameFiles:
    """The game of the first screen, which says that both choose at the same time: the usual one, else one of that kind, else any."""
    return sorted(games, key=lambda one: (one.row["name"] != shown, one.row["turn_based"]))[0]


def _index(text: str) -> str:
    """The page's first file, with the policy that a server would send with it."""
    mark = '<meta charset="utf-8">\n'
    return text.replace(mark, f'{mark}<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n', 1)


def _service_worker(text: str, found: dict[str, bytes]) -> str:
    """The script of a service worker that keeps the page in the browser, to open without a network."""
    digests = {
        name: f"sha256-{base64.b64encode(hashlib.sha256(content).digest()).decode()}"
        for name, content in sorted(found.items())
    }
    listed = text.replace("const FILES = {};", f"const FILES = {json.dumps(digests)};", 1)
    return listed.replace("VERSION", hashlib.sha256(listed.encode()).hexdigest()[:16], 1)


def written(found: dict[str, bytes], output: Path) -> None:
    for name, content in found.items():
        write(output / name, content)


# The page as one HTML file, which works from disk.
#
# A browser loads no modules and no workers from files on disk. So the page's modules stand in the file as `data:` addresses that an import
# map names, and the engine's are put together to one script, of which the page makes a `blob:` for its workers.

_FROM = re.compile(r'((?:\bfrom|\bimport)\s*\(?\s*["`])((?:\.{1,2}/)+)')
_IMPORT = re.compile(r'^import \{ ([^}]+) \} from "([^"]+)";\n', re.MULTILINE)
_REEXPORT = re.compile(r'^export \{ (\w+) \} from "([^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:class|function|const) (\w+))", re.MULTILINE)
_LIST = re.compile(r"^export \{ ([^}]+) \};\n", re.MULTILINE)
_ENGINE = (
    "saddlepoint",
    "python",
    "plain",
    "reviewed",
    "files",
    "known",
    "requests",
    "matrix",
    "solution",
    "losses",
    "means",
    "looked",
    "review",
    "analysis",
    "solved",
    "worker",
)
"""In the order in which they need one another."""
_SHEETS = re.compile(r'<link rel="stylesheet" href="([^"]+)">\n')


def single_file(found: dict[str, bytes]) -> bytes:
    """The files of a page, `build.page_files`, as one."""
    texts = {
        name: content.decode() for name, content in found.items() if not name.endswith((".wasm", ".solution"))
    }
    own = files(__package__ or "") / "page" / "single"
    for name, place in (("files.js", "engine"), ("places.js", "static"), ("stylesheet.js", "static/views")):
        texts[f"{place}/{name}"] = (own / name).read_text("utf-8")
    modules = {
        name: _address(_named(name, text), "text/javascript")
        for name, text in texts.items()
        if _is_of_page(name)
    }
    map_ = json.dumps({"imports": {f"page/{name}": address for name, address in modules.items()}})
    begin, theme = 'import "page/static/app.js";', texts["static/theme.js"]
    sheets = {name: text for name, text in texts.items() if name.endswith(".css")}
    icon = _address(texts["static/icon.svg"], "image/svg+xml")
    page = texts["index.html"]
    page = re.sub(r'<link rel="modulepreload".*\n|<!-- What the first screen is made of.*\n', "", page)
    page = re.sub(
        r'<meta http-equiv="Content-Security-Policy" content="[^"]*">', _policy(map_, begin, theme), page
    )
    page = _SHEETS.sub(lambda link: f"<style>{sheets[link[1]]}</style>\n", page)
    page = page.replace("static/icon.svg", icon)
    page = page.replace('<script src="static/theme.js"></script>', f"<script>{theme}</script>")
    data = {
        "engine": _engine(texts, found),
        "catalogue": json.loads(texts["catalogue.json"]),
        "sheets": sheets,
    }
    held = "".join(
        f'<script type="application/json" id="{name}">{embedded(one)}</script>\n'
        for name, one in data.items()
    )
    last = f'{held}<script type="importmap">{map_}</script>\n<script type="module">{begin}</script>'
    page = page.replace('<script type="module" src="static/app.js"></script>', last)
    return f"<!--\n{texts['NOTICES.txt'].replace('--', '- -')}-->\n{page}".encode()


def _is_of_page(name: str) -> bool:
    return (
        name.endswith(".js")
        and name.startswith(("static/", "viewer/", "engine/proven"))
        and name != "static/theme.js"
    )


def _named(name: str, text: str) -> str:
    """A module that imports the others by their names in the import map: a `data:` address has no folder."""
    folder = posixpath.dirname(name)
    return _FROM.sub(
        lambda found: f"{found[1]}{posixpath.normpath(posixpath.join('page', folder, found[2]))}/", text
    )


def _address(text: str, kind: str) -> str:
    return f"data:{kind};base64,{base64.b64encode(text.encode()).decode()}"


def _policy(*scripts: str) -> str:
    digests = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in scripts
    )
    said = (
        f"default-src 'none'; script-src {digests} data: blob: 'wasm-unsafe-eval'; worker-src blob:; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )
    return f'<meta http-equiv="Content-Security-Policy" content="{said}">'


def _engine(texts: dict[str, str], found: dict[str, bytes]) -> str:
    """The engine and all games as one script, for a worker."""
    held: dict[str, object] = {"catalogue.json": json.loads(texts["catalogue.json"])}
    games = sorted(name for name in texts if name.startswith("games/") and name.endswith(".js"))
    for name in games:
        stem = name.removesuffix(".js")
        held[f"{stem}.json"] = json.loads(texts[f"{stem}.json"])
        for kind in ("wasm", "solution"):
            if f"{stem}.{kind}" in found:
                held[f"{stem}.{kind}"] = base64.b64encode(found[f"{stem}.{kind}"]).decode()
    first, last = [f"engine/{name}.js" for name in _ENGINE[:3]], [f"engine/{name}.js" for name in _ENGINE[3:]]
    parts = [_part(name, texts[name]) for name in (*first, *games, *last)]
    return f'"use strict";\nconst FILES = {json.dumps(held)};\nconst modules = {{}};\n{"".join(parts)}'


def _part(name: str, text: str) -> str:
    """A module of the engine as a part of one script."""
    folder = posixpath.dirname(name)

    def module(found: str) -> str:
        return f"modules[{json.dumps(posixpath.normpath(posixpath.join(folder, found)))}]"

    shared = [*_EXPORT.findall(text), *(one for names in _LIST.findall(text) for one in names.split(", "))]
    shared += [f"{one}: {module(place)}.{one}" for one, place in _REEXPORT.findall(text)]
    text = _LIST.sub("", _REEXPORT.sub("", _EXPORT.sub("", text)))
    text = _IMPORT.sub(lambda one: f"const {{ {one[1].replace(' as ', ': ')} }} = {module(one[2])};\n", text)
    return f"modules[{json.dumps(name)}] = (() => {{\n{text}\nreturn {{ {', '.join(shared)} }};\n}})();\n"

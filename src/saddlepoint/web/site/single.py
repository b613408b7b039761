"""The page without a server as one HTML file, which works from disk.

A browser loads no modules and no workers from files on disk. So the page's modules stand in the file as `data:` addresses that an import
map names, and the engine's are put together to one script, of which the page makes a `blob:` for its workers.
"""

import base64
import hashlib
import json
import posixpath
import re
from importlib.resources import files

from ...play.viewer.data import embedded

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
    "losses",
    "means",
    "looked",
    "review",
    "analysis",
    "worker",
)
"""In the order in which they need one another."""
_SHEETS = re.compile(r'<link rel="stylesheet" href="([^"]+)">\n')


def single_file(found: dict[str, bytes]) -> bytes:
    """The files of a page, `build.page_files`, as one."""
    texts = {name: content.decode() for name, content in found.items() if not name.endswith(".wasm")}
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
        held[f"{stem}.wasm"] = base64.b64encode(found[f"{stem}.wasm"]).decode()
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

"""A solution on the page without a server: packed, read, refused where it is damaged, and what the page plays and says by it.

The reader in JavaScript is held to `Solution.at`, the packing to a reader here that shares no code with either.
"""

import hashlib
import json
import random
import shutil
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from helpers.exported_modules import SCRIPTS, in_node, needs_node
from helpers.page_server import serving
from helpers.sizes import scaled
from helpers.tables import by_mouse, is_over, play_on, table
from saddlepoint.cli.common import read_game
from saddlepoint.compiled.words import words_of_state
from saddlepoint.export import solution as packing
from saddlepoint.export.lowering import ExportError
from saddlepoint.export.solution import PackedSolution, solution_from, solution_of
from saddlepoint.game.base import CHANCE, NO_ACTION, TERMINAL, Game
from saddlepoint.solvers.general import Solution, load_solution, save_solution
from saddlepoint.solvers.whole_game import solve, solve_game
from saddlepoint.web import site
from saddlepoint.web.site import game_files, page_files, single_file, written
from web.conftest import Visits

TOLERANCE = 1e-9
GAMES = ("goofspiel(cards=4)", "soccer(width=3, height=2)", "oshi_zumo(coins=6, size=2)", "tic_tac_toe")
CARDS = GAMES[0]
_ASK = """async ([path, body]) => {
  const { post } = await import("./static/api.js");
  try { return await post(path, body); } catch (error) { return error.message; }
}"""


def solved(folder: Path, text: str) -> Path:
    """The file of a solution, with its certificate."""
    game, path = read_game(text), folder / "game.sol"
    solve_game(game, game.initial_state(), "policies" if game.clock else "induction", output=path)
    return path


def packed(path: Path, text: str) -> PackedSolution:
    return solution_from(path, read_game(text), lambda *_: None)


def unpacked(content: bytes) -> tuple[dict[str, Any], list[int], list[float]]:
    """The header, the keys and the values of a packed solution."""
    head, _, rest = zlib.decompress(content).partition(b"\n")
    header = json.loads(head)
    keys, key, part, shift = [], 0, 0, 0
    for byte in rest[: header["keys"]]:
        part |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            key += part
            keys.append(key)
            part = shift = 0
    count, width = header["positions"], header["width"]
    columns = rest[header["keys"] :]
    numbers = [sum(columns[k * count + row] << 8 * k for k in range(width)) for row in range(count)]
    table = columns[count * width :]
    many = header["values"]
    assert len(table) == 8 * many
    bits = [bytes(table[k * many + one] for k in range(8)) for one in range(many)]
    return header, keys, [float(np.frombuffer(bits[number], "<f8")[0]) for number in numbers]


@pytest.mark.plain
@pytest.mark.parametrize(
    "text", [CARDS, *(pytest.param(text, marks=pytest.mark.compiles_long) for text in GAMES[1:])]
)
def test_a_packed_solution_has_every_position_and_its_value_to_the_last_bit(
    tmp_path: Path, text: str
) -> None:
    path = solved(tmp_path, text)
    solution, _ = load_solution(path, read_game(text))
    header, keys, values = unpacked(packed(path, text).content)
    assert header["positions"] == len(solution)
    assert values == solution.values.tolist()
    width = solution.packing.width
    assert keys == [sum(int(row[k]) << 64 * (width - 1 - k) for k in range(width)) for row in solution.words]


def test_what_the_page_says_of_the_proof_is_of_the_file_that_was_solved(tmp_path: Path) -> None:
    path = solved(tmp_path, CARDS)
    one = packed(path, CARDS)
    _, certificate = load_solution(path, read_game(CARDS))
    assert certificate is not None
    assert one.about["of"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert one.about["digest"] == hashlib.sha256(one.content).hexdigest()
    assert one.about["gap"] == certificate.worst_gap


def test_a_game_solved_for_the_page_is_that_of_the_file(tmp_path: Path) -> None:
    assert solution_of(read_game(CARDS), lambda *_: None) == packed(solved(tmp_path, CARDS), CARDS)


def test_what_is_too_large_is_refused_with_the_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = solved(tmp_path, CARDS)
    count = len(load_solution(path, read_game(CARDS))[0])
    size = len(packed(path, CARDS).content)
    monkeypatch.setattr(packing, "MOST_BYTES", size - 1)
    with pytest.raises(ExportError, match=f"takes {size:,} bytes, and a page takes {size - 1:,} at most"):
        packed(path, CARDS)
    monkeypatch.setattr(packing, "MOST_POSITIONS", count - 1)
    for ask in (lambda: packed(path, CARDS), lambda: solution_of(read_game(CARDS), lambda *_: None)):
        with pytest.raises(ExportError, match=f"and a page takes {count - 1:,} at most"):
            ask()


def test_a_discounted_solution_is_refused(tmp_path: Path) -> None:
    game, path = read_game("soccer(width=3, height=2)"), tmp_path / "game.sol"
    save_solution(path, solve(game, discount=0.9))
    with pytest.raises(ExportError, match="solve the game without --discount"):
        solution_from(path, game, lambda *_: None)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["light_riders", "--to", "js", "--solve"], "--solution and --solve are for --to page with one game"),
        (
            ["goofspiel", "soccer", "--to", "page", "--solve"],
            "--solution and --solve are for --to page with one game",
        ),
        (["--to", "page", "--solution", "g.sol"], "--solution and --solve are for --to page with one game"),
        (["goofspiel", "--to", "page", "--solution", "g.sol", "--solve"], "leave it, or --solution, out"),
    ],
)
def test_a_solution_goes_with_a_page_of_one_game(
    cli: Any, tmp_path: Path, arguments: list[str], said: str
) -> None:
    _, told = cli.ended(2, "export", *arguments, "-o", str(tmp_path / "there"))
    assert said in " ".join(told.split())
    assert not (tmp_path / "there").exists()


# -- the reader in JavaScript, in Node --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The modules of the page's engine, without a game."""
    folder = tmp_path_factory.mktemp("engine")
    for path in (Path(site.__file__).parent / "page").glob("*.js"):
        shutil.copy(path, folder)
    host = (Path(packing.__file__).parent / "host" / "engine.js").read_text()
    (folder / "saddlepoint.js").write_text(
        f"{host}\nexport {{ Game, NO_ACTION, CHANCE, SIMULTANEOUS, TERMINAL }};\n"
    )
    (folder / "package.json").write_text('{"type": "module"}')
    return folder


_PLACES = """
const { Solution } = await import(process.argv[1] + "/solution.js");
const host = { about: { words: 2 }, room: () => 0 };
const { header, body, asked } = JSON.parse((await import("node:fs")).readFileSync(0, "utf8"));
const bytes = Buffer.concat([Buffer.from(JSON.stringify(header) + "\\n"), Buffer.from(body, "hex")]);
const solution = new Solution(host, null, new Uint8Array(bytes));
console.log(JSON.stringify(asked.map((words) => solution.place(BigUint64Array.from(words, (word) => BigInt("0x" + word))))));
"""


@needs_node
@settings(max_examples=scaled(40, 5), deadline=None)
@given(
    keys=st.sets(
        st.one_of(st.integers(0, 600), st.integers(0, 2**128 - 1), st.integers(2**53 - 200, 2**53 + 200)),
        min_size=1,
    )
)
def test_every_key_is_found_at_its_place_and_no_other_one_is(engine: Path, keys: set[int]) -> None:
    rows = sorted(keys)
    column = bytes(packing._distances(rows))
    header = {
        "format": packing.FORMAT, "positions": len(rows), "keys": len(column), "values": 1, "width": 1, "folded": False,
        "start": ["0", "0"], "base": ["0", "0"], "mask": ["f" * 16] * 2, "shift": [64, 0],
    }  # fmt: skip
    asked = rows + [one for key in rows for one in (key + 1, key - 1, key ^ 1 << 100) if 0 <= one < 2**128]
    words = [[f"{key >> 64:x}", f"{key & 2**64 - 1:x}"] for key in asked]
    told = {"header": header, "body": (column + bytes(len(rows) + 8)).hex(), "asked": words}
    (found,) = in_node("--input-type=module", "-e", _PLACES, engine, given=json.dumps(told))
    places = {key: row for row, key in enumerate(rows)}
    assert found == [places.get(key, -1) for key in asked]


def positions_of(game: Game, solution: Solution, count: int, seed: int) -> list[Any]:
    """Different positions on the way of games at random."""
    random_ = random.Random(seed)
    found: dict[Any, None] = {}
    for _ in range(3 * count):
        state = solution.root
        while game.current_player(state) != TERMINAL and len(found) < count:
            found[state] = None
            joint = (
                (random_.choice(game.chance_outcomes(state))[0], NO_ACTION)
                if game.current_player(state) == CHANCE
                else tuple(random_.choice(actions) for actions in solution.choices(state))
            )
            state = game.advance(state, *joint)
    return list(found)


@pytest.fixture(scope="session")
def solved_site(linker: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of solved games, below a folder of a host; beside it their files, by number."""
    home = tmp_path_factory.mktemp("host")
    made = []
    for number, text in enumerate(GAMES):
        path = solved(tmp_path_factory.mktemp("solved"), text)
        shutil.copy(path, home / f"{number}.sol")
        made.append(game_files(text, read_game(text), packed(path, text)))
    written(page_files(made, "goofspiel"), home / "below" / "here")
    (home / "below" / "here" / "package.json").write_text('{"type": "module"}')
    return home / "below" / "here"


def asked_of(folder: Path, text: str, states: list[Any]) -> Any:
    """What the solution of a page tells of positions, in Node."""
    words = [[f"{word:x}" for word in words_of_state(state)] for state in states]
    return in_node(SCRIPTS / "solutions.mjs", folder, given=json.dumps([spec_of(folder, text), words]))[0]


def spec_of(folder: Path, text: str) -> str:
    """What the page calls a game."""
    rows = json.loads((folder / "catalogue.json").read_text())["games"]
    return str(next(row["spec"] for row in rows if row["name"] == text.partition("(")[0]))


@needs_node
@pytest.mark.export
@pytest.mark.parametrize("number", range(len(GAMES)))
def test_every_value_and_mixture_is_that_of_the_program(solved_site: Path, number: int) -> None:
    game = read_game(GAMES[number])
    solution, _ = load_solution(solved_site.parents[1] / f"{number}.sol", game)
    states = positions_of(game, solution, scaled(2000, 200), seed=number)
    assert len(states) > 50
    for state, told in zip(states, asked_of(solved_site, GAMES[number], states), strict=True):
        stage = solution.at(state)
        assert told["value"] == pytest.approx(stage.value, abs=TOLERANCE)
        assert np.array(told["matrix"]) == pytest.approx(np.array(stage.matrix), abs=TOLERANCE)
        assert [dict(map(tuple, mixture)) for mixture in told["strategies"]] == [
            pytest.approx(mixture, abs=TOLERANCE) for mixture in stage.strategies
        ]


@needs_node
@pytest.mark.export
def test_a_position_of_another_start_is_not_known(solved_site: Path) -> None:
    start = read_game(CARDS).initial_state()
    assert asked_of(solved_site, CARDS, [start, start._replace(hand0=0b111)])[1] is None


def _truncated(content: bytes) -> bytes:
    return content[:-1]


def _altered(content: bytes) -> bytes:
    return content[:50] + bytes([content[50] ^ 1]) + content[51:]


def _longer(content: bytes) -> bytes:
    return zlib.compress(zlib.decompress(content) + b"\0")


def _other_header(change: dict[str, Any]) -> Callable[[bytes], bytes]:
    def made(content: bytes) -> bytes:
        head, _, rest = zlib.decompress(content).partition(b"\n")
        return zlib.compress(json.dumps(json.loads(head) | change).encode() + b"\n" + rest)

    return made


_DAMAGES = (
    lambda _: b"", _truncated, _altered, _longer, lambda _: b"<!doctype html>", _other_header({"positions": 3}), _other_header({"keys": 5}),
    _other_header({"positions": -1}), _other_header({"format": "saddlepoint page solution 2"}), _other_header({"values": 2**40}),
)  # fmt: skip


@needs_node
@pytest.mark.export
@pytest.mark.parametrize("is_believed", [False, True])
@pytest.mark.parametrize("damage", _DAMAGES)
def test_a_damaged_solution_is_refused_in_a_sentence(
    solved_site: Path, tmp_path: Path, damage: Callable[[bytes], bytes], is_believed: bool
) -> None:
    """Also where size and digest are those of the damaged file, as where a page came by plain HTTP and cannot compute it."""
    folder = tmp_path / "page"
    shutil.copytree(solved_site, folder)
    (path,) = (folder / "games").glob("goofspiel*.solution")
    content = damage(path.read_bytes())
    path.write_bytes(content)
    if is_believed:
        about = json.loads(path.with_suffix(".json").read_text())
        about["solution"] |= {"bytes": len(content), "digest": hashlib.sha256(content).hexdigest()}
        path.with_suffix(".json").write_text(json.dumps(about))
    told = asked_of(folder, CARDS, [read_game(CARDS).initial_state()])
    assert told["kind"] == "Refused"
    assert told["error"] == (
        "the solution of Goofspiel is damaged, so nothing is played from it: load the page again, or export it anew"
    )


# -- the page, in a browser -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def solved_host(solved_site: Path) -> Iterator[str]:
    """The address of a page below a folder of a host."""
    with serving(solved_site.parents[1]) as address:
        yield f"{address}/below/here"


_EVERYTHING = """async ([game, lines]) => {
  const { post, analysisChannel } = await import("./static/api.js"), found = [];
  const analysed = (message) => new Promise((resolve) => {
    const heard = [];
    const channel = analysisChannel({
      onOpen: () => channel.send({ id: 1, do: "analyse", game, start: null, alternatives: true, ...message }), onAway() {},
      onMessage: (told) => { heard.push(told); if (["done", "error"].includes(told.kind)) { resolve(heard); channel.close(); } },
    });
  });
  for (const moves of lines) found.push(await analysed({ moves }));
  return found;
}"""


def lines_of(game: Game, solution: Solution, count: int) -> list[tuple[list[list[int]], Any]]:
    """Lines of moves at random, and the position that each leads to."""
    random_, found = random.Random(5), []
    while len(found) < count:
        state, moves = solution.root, list[list[int]]()
        while game.current_player(state) != TERMINAL:
            found.append((list(moves), state))
            outcomes = game.chance_outcomes(state)
            joint = (
                [random_.choice(outcomes)[0], NO_ACTION]
                if outcomes
                else [random_.choice(actions) for actions in solution.choices(state)]
            )
            moves.append(joint)
            state = game.advance(state, *joint)
    return found[:count]


@pytest.mark.export
@pytest.mark.parametrize("number", [0, 1])
def test_the_analysis_tells_the_exact_values_and_mixtures_at_once(
    solved_host: str, solved_site: Path, visit: Visits, number: int
) -> None:
    game = read_game(GAMES[number])
    solution, _ = load_solution(solved_site.parents[1] / f"{number}.sol", game)
    lines = lines_of(game, solution, scaled(2000, 60))
    page = visit(f"{solved_host}/")
    told = page.evaluate(_EVERYTHING, [spec_of(solved_site, GAMES[number]), [moves for moves, _ in lines]])
    for (_, state), heard in zip(lines, told, strict=True):
        stage, last = solution.at(state), {one["kind"]: one for one in heard}
        assert last["done"]["reason"] == "exact"
        assert last["search"]["exact"]
        assert last["search"]["value"] == pytest.approx(stage.value, abs=TOLERANCE)
        alternatives = last["alternatives"]
        assert alternatives["proven"]
        if game.current_player(state) == CHANCE:
            assert [value for _, _, value in alternatives["moves"]] == pytest.approx(
                [value for (value,) in stage.matrix], abs=TOLERANCE
            )
            continue
        assert np.array(alternatives["values"]) == pytest.approx(np.array(stage.matrix), abs=TOLERANCE)
        for player, side in enumerate(("rows", "columns")):
            shares = dict(
                zip(
                    (action for action, _ in alternatives[side]),
                    alternatives["mixtures"][player],
                    strict=True,
                )
            )
            assert shares == pytest.approx(stage.strategies[player], abs=TOLERANCE)


@pytest.mark.export
def test_the_strongest_level_plays_the_mixture_of_the_solution(
    solved_host: str, solved_site: Path, visit: Visits
) -> None:
    game = read_game(CARDS)
    solution, _ = load_solution(solved_site.parents[1] / "0.sol", game)
    page, spec = visit(f"{solved_host}/"), spec_of(solved_site, CARDS)
    for moves, state in lines_of(game, solution, 40):
        if game.current_player(state) == CHANCE:
            continue
        for player in (0, 1):
            about = {"game": spec, "start": None, "moves": moves, "player": player, "level": "best"}
            told = page.evaluate(_ASK, ["/api/answer", about])
            stage = solution.at(state)
            assert told["value"] == pytest.approx(stage.value, abs=TOLERANCE)
            assert {action: share for action, _, share in told["strategy"]} == pytest.approx(
                stage.strategies[player], abs=TOLERANCE
            )
            assert stage.strategies[player][told["action"]] > 0


@pytest.mark.export
def test_the_review_judges_by_the_solution(solved_host: str, solved_site: Path, visit: Visits) -> None:
    game = read_game(CARDS)
    solution, _ = load_solution(solved_site.parents[1] / "0.sol", game)
    moves, states, state = [], [], solution.root
    while game.current_player(state) != TERMINAL:
        states.append(state)
        outcomes = game.chance_outcomes(state)
        joint = (
            [outcomes[0][0], NO_ACTION]
            if outcomes
            else [solution.choices(state)[0][-1], solution.choices(state)[1][0]]
        )
        moves.append(joint)
        state = game.advance(state, *joint)
    page = visit(f"{solved_host}/")
    heard = page.evaluate(
        _EVERYTHING.replace('do: "analyse"', 'do: "review"'), [spec_of(solved_site, CARDS), [moves]]
    )[0]
    told = {one["step"]: one for one in heard if one["kind"] == "review"}
    assert heard[-1]["kind"] == "done", heard[-1]
    for step, position in enumerate(states):
        if step in told:
            assert told[step]["exact"]
            assert told[step]["value"] == pytest.approx(solution.value_of(position), abs=TOLERANCE)
    assert len(told) >= len(states) // 2


@pytest.mark.export
def test_the_page_says_that_it_is_proven_and_by_which_file(
    solved_host: str, solved_site: Path, visit: Visits
) -> None:
    page = visit(table(solved_host, spec_of(solved_site, CARDS), second="level:best"))
    said = page.locator("#proof[data-state=ready]")
    said.wait_for()
    digest = hashlib.sha256((solved_site.parents[1] / "0.sol").read_bytes()).hexdigest()
    assert digest in said.inner_text()
    assert said.inner_text().startswith(
        "Proven: Goofspiel(cards=4, order='random', utility='win', lowest=1) is solved in 182 "
    )
    play_on(page, by_mouse)
    assert is_over(page)
    page.goto(f"{solved_host}/#/analysis")
    page.get_by_role("button", name="Its first position").click()
    page.get_by_text("Solved: the value is exact.").wait_for()
    assert not page.locator(".panels .counts").is_visible(), "nothing was searched"


@pytest.mark.export
def test_a_bar_is_shown_while_the_solution_comes(solved_host: str, solved_site: Path, visit: Visits) -> None:
    page, held = visit(f"{solved_host}/", service_workers="block").context.new_page(), list[Any]()

    def hold(route: Any) -> None:
        held.append(route)

    page.route("**/*.solution", hold)
    with page.expect_request("**/*.solution"):
        page.goto(table(solved_host, spec_of(solved_site, CARDS), second="level:best"))
    page.get_by_role("progressbar", name="The solution, so far").wait_for()
    for one in held:
        one.continue_()
    page.locator("#proof[data-state=ready]").wait_for()
    assert page.get_by_role("progressbar").count() == 0


@pytest.mark.export
def test_the_solution_is_there_without_a_network(solved_host: str, solved_site: Path, visit: Visits) -> None:
    page = visit(f"{solved_host}/")
    page.evaluate("navigator.serviceWorker.ready")
    page.reload()
    page.wait_for_function("navigator.serviceWorker.controller !== null")
    page.context.set_offline(True)
    page.goto(table(solved_host, spec_of(solved_site, CARDS), second="level:best"))
    page.locator("#proof[data-state=ready]").wait_for()
    play_on(page, by_mouse)
    assert is_over(page)


@pytest.mark.export
@pytest.mark.usefixtures("linker")
def test_one_file_has_the_solution_in_it(visit: Visits, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    one = game_files(CARDS, read_game(CARDS), packed(solved(tmp_path, CARDS), CARDS))
    path.write_bytes(single_file(page_files([one], "goofspiel")))
    address = table(path.as_uri(), one.row["spec"], second="level:best").replace("page.html/#", "page.html#")
    page = visit(address)
    page.locator("#proof[data-state=ready]").wait_for()
    play_on(page, by_mouse)
    assert is_over(page)
    head, name, rest = path.read_text().rpartition('.solution\\": \\"')
    path.write_text(head + name + "!" + rest[1:])  # no base64
    page.goto("about:blank")
    page.goto(address)
    page.locator("#proof[data-state=damaged]").wait_for()
    assert "is damaged in this page" in page.locator("#proof").inner_text()


@pytest.mark.export
def test_the_page_refuses_a_damaged_solution_in_a_sentence(
    solved_site: Path, visit: Visits, tmp_path: Path
) -> None:
    folder = tmp_path / "page"
    shutil.copytree(solved_site, folder)
    (path,) = (folder / "games").glob("goofspiel*.solution")
    path.write_bytes(_altered(path.read_bytes()))
    said = "the solution of Goofspiel is damaged, so nothing is played from it: load the page again, or export it anew"
    with serving(folder) as address:
        visit.server_may_fail = True  # the service worker does not keep what is damaged
        page = visit(table(address, spec_of(folder, CARDS), second="level:best"))
        page.locator("#proof[data-state=damaged]", has_text="is damaged").wait_for()
        assert page.locator("#proof").inner_text() == said
        about = {"game": "goofspiel", "start": None, "moves": [[0, -1]], "player": 0, "level": "best"}
        assert page.evaluate(_ASK, ["/api/answer", about]) == said

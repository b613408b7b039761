"""A file in which anything is wrong that anybody is told, or plays by, is called damaged; what the file says of itself proves nothing."""

import io
import json
import tempfile
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from helpers.sizes import scaled
from helpers.solution_files import (
    Arrays,
    arrays_of,
    rewritten,
    set_array,
    set_header,
    set_values,
    shift_claim,
    shift_value,
    values_in,
    without_position,
)
from saddlepoint import Game, GameError, Goofspiel
from saddlepoint.game.spec import SpecError
from saddlepoint.games.catalogue.games import make_game
from saddlepoint.games.catalogue.make import make_player
from saddlepoint.solvers.checking import check_file, is_checked, load_checked
from saddlepoint.solvers.cycles import solve_cycles
from saddlepoint.solvers.general import (
    Certificate,
    Solution,
    SolutionFileError,
    certificate_of,
    load_solution,
    save_solution,
)
from saddlepoint.solvers.general.check import span
from saddlepoint.solvers.general.solve import solve_positions

Change = Callable[[Arrays, dict[str, Any]], Any]


@pytest.fixture(autouse=True)
def own_notes(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """What other tests have checked is not known here."""
    notes = tmp_path_factory.mktemp("notes")
    monkeypatch.setattr("saddlepoint.solvers.checking.cache_directory", lambda: notes)


def induced(game: Game, state: Any = None, fold: bool = True) -> tuple[Solution, Certificate]:
    solution = Solution.of(solve_positions(game, state, fold=fold))
    return solution, certificate_of(solution)


def with_cycles(game: Game, **options: Any) -> tuple[Solution, Certificate]:
    found = solve_cycles(game, **options)
    return found.solution, found.certificate


def late_tic_tac_toe() -> tuple[Solution, Certificate]:
    game = make_game("tic_tac_toe")
    state = game.initial_state()
    for action in (0, 4, 8):
        state = game.next_state(state, action)
    return induced(game, state)


FORMS: dict[str, Callable[[], tuple[Solution, Certificate]]] = {
    "folded, chance, a win counts": lambda: induced(Goofspiel(3)),
    "whole": lambda: induced(Goofspiel(3, order="descending"), fold=False),
    "folded scores": lambda: induced(Goofspiel(3, utility="points")),
    "in turn": late_tic_tac_toe,
    "mixed": lambda: induced(make_game("oshi_zumo", coins=6)),
    "cycles, discounted": lambda: with_cycles(make_game("pursuit_evasion"), discount=0.9),
    "cycles, ended by chance": lambda: with_cycles(make_game("soccer", width=2, height=2)),
    "cycles, not proven": lambda: with_cycles(
        make_game("soccer", width=2, height=2, draw=0.0), method="values"
    ),
}
"""Small solutions of every form that a file may have."""
NEARLY_RIGHT = {"cycles, ended by chance", "cycles, not proven"}
"""Forms of which values are compared with others that were found again, to 1e-6: they have no discount."""
MARKS = {
    "in turn": [pytest.mark.compiles_long],
    "mixed": [pytest.mark.compiles_long],
    "cycles, discounted": [pytest.mark.compiles_long],
    "cycles, ended by chance": [pytest.mark.compiles_long],
    "cycles, not proven": [pytest.mark.compiles_long],
}
ALL_FORMS = [pytest.param(form, marks=MARKS.get(form, [])) for form in FORMS]


@cache
def written(form: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.sol"
        save_solution(path, *FORMS[form]())
        return path.read_bytes()


def check(path: Path) -> Certificate:
    solution, claimed = load_solution(path, find=make_game)
    return check_file(path, solution, claimed)


def is_refused(path: Path, data: bytes, change: Change) -> bool:
    path.write_bytes(rewritten(data, change))
    try:
        check(path)
    except (SolutionFileError, GameError):
        assert not is_checked(path, Goofspiel(3))
        return True
    return False


@pytest.mark.plain
@pytest.mark.parametrize("form", ALL_FORMS)
def test_what_solving_writes_is_found_right(form: str, tmp_path: Path) -> None:
    path = tmp_path / "a.sol"
    path.write_bytes(written(form))
    assert check(path) == load_solution(path, find=make_game)[1]


@pytest.mark.parametrize("form", ALL_FORMS)
def test_any_one_value_that_was_changed_is_found(form: str, tmp_path: Path) -> None:
    data, rng, path = written(form), np.random.default_rng(5), tmp_path / "a.sol"
    values = values_in(arrays_of(data))
    for _ in range(scaled(30, 6) if "cycles" not in form else scaled(4, 1)):
        place, size = int(rng.integers(len(values))), float(rng.choice([1e-5, 0.01, 0.25, 1.0, 1e6]))
        amount = size * float(rng.choice([-1.0, 1.0]))
        assert is_refused(path, data, shift_value(place, amount)), (place, amount)


@pytest.mark.parametrize("form", [one for one in ALL_FORMS if one.values[0] not in NEARLY_RIGHT])
@pytest.mark.parametrize("share", [2e-9, 1e-6, 1.5e-6])
def test_a_value_that_is_wrong_by_a_little_more_than_the_tolerance_is_found(
    share: float, form: str, tmp_path: Path
) -> None:
    """One value, or all of them by as much: where results are discounted each still agrees with the next ones nearly."""
    data, path = written(form), tmp_path / "a.sol"
    path.write_bytes(data)
    solution, _ = load_solution(path, find=make_game)
    start = solution.place_of(solution.root)
    wrong = share * span(solution.game)
    assert is_refused(path, data, shift_value(start, wrong)), share
    assert is_refused(path, data, set_values(lambda a, wrong=wrong: a + wrong)), share


@pytest.mark.compiles_long
@pytest.mark.parametrize("discount", [0.8, 1.0, None])
def test_a_file_of_another_discount_is_found(discount: float | None, tmp_path: Path) -> None:
    assert is_refused(tmp_path / "a.sol", written("cycles, discounted"), set_header("discount", discount))


@pytest.mark.compiles_long
@pytest.mark.parametrize("discount", [0.9, 0.999])
def test_values_whose_errors_the_discount_hides_are_found(discount: float, tmp_path: Path) -> None:
    """All wrong by so much alike, they agree with the next ones to a share of 1 - discount of it."""
    path = tmp_path / "a.sol"
    save_solution(path, *with_cycles(make_game("pursuit_evasion"), discount=discount))
    data = path.read_bytes()
    assert is_refused(path, data, set_values(lambda a: np.where(np.abs(a) < 1, a + 5e-8, a)))


@pytest.mark.parametrize("form", ALL_FORMS)
def test_many_values_that_were_changed_together_are_found(form: str, tmp_path: Path) -> None:
    data, path = written(form), tmp_path / "a.sol"
    assert np.abs(values_in(arrays_of(data))).max() > 0
    changes: list[Change] = [
        set_values(lambda a: -a + 0.125),
        set_values(lambda a: a + 0.5),
        set_values(np.zeros_like),
        set_values(lambda a: a / 2),
    ]
    if not (
        form == "whole" or "cycles" in form
    ):  # the others' values are not those of a game that is fair everywhere
        changes.append(set_values(lambda a: -a))
    for change in changes[: scaled(5, 2) if "cycles" in form else 5]:
        assert is_refused(path, data, change)


@pytest.mark.parametrize("form", ALL_FORMS)
def test_a_claim_that_is_not_the_files_own_is_found(form: str, tmp_path: Path) -> None:
    data, path = written(form), tmp_path / "a.sol"
    for key, change in (
        ("lower", 0.25),
        ("upper", -0.25),
        ("worst_gap", -0.25),
        ("worst_gap", 0.25),
        ("positions", 1),
    ):
        if "cycles" in form and key != "lower":
            continue
        assert is_refused(path, data, shift_claim(key, change)), key


def other_game(name: str, **parameters: Any) -> Change:
    def change(_: Arrays, header: dict[str, Any]) -> None:
        game = make_game(name, **parameters)
        header["game"] = {"name": name, "parameters": header["game"]["parameters"] | parameters}
        header["start"] = game.to_text(game.initial_state())

    return change


def with_one_more(arrays: Arrays, header: dict[str, Any]) -> None:
    """A position between two others, solved before all of them."""
    words = arrays["rows"][:, 0].astype(object)
    gap = next(k for k in range(len(words) - 1) if words[k + 1] - words[k] > 1)
    more = arrays["rows"][gap] + np.array([1, 0], np.uint64)
    more[-1] = 0
    arrays["rows"] = np.insert(arrays["rows"], gap + 1, more, 0)
    arrays["order"] = np.insert(arrays["order"] + 1, gap + 1, 0).astype(np.uint32)
    header["positions"] += 1
    header["certificate"]["positions"] += 1


@pytest.mark.parametrize(
    "change",
    [
        other_game("goofspiel", utility="win"),
        other_game("goofspiel", cards=4),
        other_game("goofspiel", cards=2),
        other_game("goofspiel", order="descending"),
        other_game("goofspiel", lowest=0),
        without_position,
        with_one_more,
        set_header("folded", False),
        set_header("discount", 0.9),
        set_values(lambda a: a[::-1].copy()),
        set_array("order", lambda a: a[::-1].copy()),
    ],
)
def test_a_file_about_something_else_is_found(change: Change, tmp_path: Path) -> None:
    assert is_refused(tmp_path / "a.sol", written("folded scores"), change)


@pytest.mark.parametrize("form", ["folded scores", "whole", "in turn"])
def test_whatever_byte_is_changed_it_is_found_or_nobody_is_told_anything_else(
    form: str, tmp_path: Path
) -> None:
    data, rng, path = written(form), np.random.default_rng(11), tmp_path / "a.sol"

    def told(where: Path) -> dict[str, Any]:
        solution, claimed = load_solution(where, find=make_game)
        answers = {solution.game.to_text(state): solution.at(state) for state in solution.states()}
        return answers | {
            "claimed": claimed,
            "game": solution.game,
            "start": solution.game.to_text(solution.root),
        }

    path.write_bytes(data)
    whole = told(path)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    for _ in range(scaled(150, 20)):
        name = str(rng.choice(list(members)))
        changed = bytearray(members[name])
        changed[int(rng.integers(len(changed)))] ^= 1 << int(rng.integers(8))
        with zipfile.ZipFile(path, "w") as archive:
            for other, content in {**members, name: bytes(changed)}.items():
                archive.writestr(other, content)
        try:
            check(path)
        except (SolutionFileError, GameError):
            continue
        now = told(path)
        assert {key: now.pop(key) for key in ("game", "start")} == {
            key: whole[key] for key in ("game", "start")
        }
        claims = now.pop("claimed"), whole["claimed"]
        assert None in claims or claims[0] == pytest.approx(claims[1], abs=1e-7)
        values = {text: stage.value for text, stage in now.items()}
        assert values == pytest.approx({text: whole[text].value for text in now}, abs=1e-7), name
        assert len(values) == len(whole) - 3


def test_a_player_checks_a_file_before_it_plays_from_it_and_only_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, game, checks = tmp_path / "a.sol", Goofspiel(3, utility="points"), list[int]()
    data = written("folded scores")
    path.write_bytes(rewritten(data, set_values(lambda a: a + 0.25)))
    with pytest.raises(
        SpecError, match=r"^solution\(file=.*\): .* is damaged: a value differs by .* writes it anew$"
    ):
        make_player(f'solution("{path}")', game)
    path.write_bytes(data)
    monkeypatch.setattr(
        "saddlepoint.solvers.checking.check_solution", lambda *args, **options: checks.append(1)
    )
    for _ in range(3):
        make_player(f'solution("{path}")', game)
    assert len(checks) == 1
    path.write_bytes(rewritten(data, set_header("certificate", None)))  # other bytes are another file
    load_checked(path, find=make_game)
    assert len(checks) == 2


@pytest.mark.parametrize(("key", "value"), [("checked", True), ("digest", "0" * 64)])
def test_a_file_cannot_say_that_it_was_checked(key: str, value: Any, tmp_path: Path) -> None:
    path = tmp_path / "a.sol"
    data = rewritten(written("folded scores"), set_header(key, value))
    path.write_bytes(rewritten(data, set_values(lambda a: a + 0.25)))
    assert not is_checked(path, Goofspiel(3, utility="points"))
    with pytest.raises(SolutionFileError, match="is damaged"):
        load_checked(path, find=make_game)


def test_files_that_are_not_this_games_own_rules_are_checked_for_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same bytes under other rules, as after a change of a user's file, are checked again."""
    path = tmp_path / "a.sol"
    path.write_bytes(written("folded scores"))
    game = Goofspiel(3, utility="points")
    check(path)
    assert is_checked(path, game)
    monkeypatch.setattr("saddlepoint.solvers.checking.rules_digest", lambda cls: "another")
    assert not is_checked(path, game)
    assert json.dumps(sorted(p.name for p in tmp_path.iterdir())) == '["a.sol"]'  # nothing is left beside it

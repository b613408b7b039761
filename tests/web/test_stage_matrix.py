"""The matrix that a reader of the documentation changes: what it shows is what the library finds, in a browser without `make docs`."""

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from docs_site.pages import DOCS, EDITABLE

from helpers.accessibility import look
from helpers.page_server import serving
from saddlepoint.matrix import solve_matrix
from web.conftest import Visits

pytestmark = pytest.mark.web
ROOT = Path(__file__).parents[2]
STATIC = ROOT / "tools" / "docs_site" / "static"
TABLE = next(
    found
    for page in sorted(DOCS.rglob("*.md"))
    if (
        found := re.search(
            rf"^{re.escape(EDITABLE)}\n\n(\|.*?\n)\n", page.read_text(encoding="utf-8"), re.M | re.S
        )
    )
)
"""The matrix of the page on stages."""
_SOLVED = """texts => {
  const {value, rows, columns} = MatrixGame.solve(texts.map((row) => row.map(MatrixGame.read)));
  return [[value], rows, columns].map((fractions) => fractions.map((fraction) => fraction.join("/")));
}"""
_SHOWN = """() => ({
  said: document.querySelector(".matrix-value").textContent,
  rows: [...document.querySelectorAll(".matrix-grid tbody tr:has(input) .matrix-share")].map((cell) => cell.textContent),
  columns: [...document.querySelectorAll(".matrix-grid tbody tr:not(:has(input)) .matrix-share")].map((cell) => cell.textContent),
})"""


@pytest.fixture
def editor(visit: Visits, tmp_path: Path) -> Any:
    """The page of one matrix, opened: editor(**options of the browser's context)."""
    head, _, *rows = (
        [cell.strip() for cell in line.strip("|").split("|")] for line in TABLE[1].split("\n") if line
    )
    lines = [head, *rows]
    table = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in line) + "</tr>" for line in lines)
    styles = f"<style>{(STATIC / 'site.css').read_text(encoding='utf-8')}</style>"
    scripts = "".join(
        f"<script>{(STATIC / name).read_text(encoding='utf-8')}</script>"
        for name in ("matrix_game.js", "matrix_editor.js")
    )
    head_of_page = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>A matrix</title>'
        '<link rel="icon" href="data:,">'
    )
    told = "<p>The value of it is 1/7.</p><p>Its value is 5.</p>"
    body = f'<main><h1>A matrix</h1><div class="matrix"></div><div><table>{table}</table></div>{told}</main>'
    (tmp_path / "index.html").write_text(
        f'<!DOCTYPE html><html lang="en">{head_of_page}{styles}{body}{scripts}</html>', encoding="utf-8"
    )
    with serving(tmp_path) as address:
        yield lambda **options: visit(f"{address}/index.html", **options)


FIRST = (
    "1/7 (0.143). The row player plays up 3/7 (0.429), down 4/7 (0.571). "
    "The column player plays left 2/7 (0.286), right 5/7 (0.714)."
)


@pytest.mark.parametrize(
    ("changes", "value", "rows"),
    [
        ({}, FIRST, ["3/7 (0.429)", "4/7 (0.571)"]),
        ({("up", "left"): "9"}, "7/13", ["3/13 (0.231)", "10/13 (0.769)"]),
        ({("up", "left"): "9", ("down", "right"): "-2"}, "-1", ["1", "0"]),
    ],
)
def test_the_equilibrium_is_the_one_that_the_page_tells_also_of_what_it_asks_to_try(
    editor: Callable[..., Any], changes: dict[tuple[str, str], str], value: str, rows: list[str]
) -> None:
    page = editor()
    for (row, column), number in changes.items():
        page.get_by_label(f"{row}, {column}", exact=True).fill(number)
    shown = page.evaluate(_SHOWN)
    assert shown["rows"] == rows
    assert shown["said"].startswith(f"The value is {value}")
    assert ("saddle point" in shown["said"]) == (rows == ["1", "0"])


@pytest.mark.parametrize("digits", [0, 2])
def test_random_matrices_have_the_value_that_the_library_finds_and_an_exact_equilibrium(
    editor: Callable[..., Any], digits: int
) -> None:
    """Without digits many entries are equal: there are many equilibria, and a simplex method could run in a circle."""
    page, numbers = editor(), np.random.default_rng(5)
    for height in range(1, 6):
        for width in range(1, 6):
            for _ in range(8):
                texts = [
                    [f"{entry:.{digits}f}" for entry in row]
                    for row in numbers.uniform(-3, 3, (height, width))
                ]
                (value,), rows, columns = (
                    [Fraction(text) for text in fractions] for fractions in page.evaluate(_SOLVED, texts)
                )
                matrix = [[Fraction(text) for text in row] for row in texts]
                assert float(value) == pytest.approx(solve_matrix(np.array(matrix, float)).value, abs=1e-9)
                assert sum(rows) == sum(columns) == 1
                assert min(*rows, *columns) >= 0
                of_columns = np.array(rows) @ np.array(matrix)
                assert min(of_columns) == max(np.array(matrix) @ np.array(columns)) == value, "exactly"


def test_what_is_no_number_is_told_and_a_fraction_is_one(editor: Callable[..., Any]) -> None:
    page = editor()
    cell = page.get_by_label("up, left", exact=True)
    for text in ("", "x", "1/0", "1e5"):
        cell.fill(text)
        assert page.evaluate(_SHOWN)["said"] == "Every cell needs a number, such as -1, 0.25 or 1/3."
        assert cell.get_attribute("aria-invalid") == "true"
    for text in ("1/2", "0.5", "0,5"):
        cell.fill(text)
        assert page.evaluate(_SHOWN)["said"].startswith("The value is -1/3 (-0.333)")
        assert cell.get_attribute("aria-invalid") == "false"


def test_keys_alone_change_it_and_its_size_has_bounds(editor: Callable[..., Any]) -> None:
    page = editor()
    page.get_by_label("up, left", exact=True).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.type("7")
    assert page.get_by_label("down, left", exact=True).input_value() == "7"
    add = page.get_by_role("button", name="Add a row")
    for _ in range(3):
        add.focus()
        page.keyboard.press("Enter")
    assert page.locator(".matrix-grid tbody tr:has(input)").count() == 5
    assert add.is_disabled()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_it_has_no_violation_and_fits_the_screen(
    editor: Callable[..., Any], axe: str, width: int, scheme: str
) -> None:
    page = editor(viewport={"width": width, "height": 800}, color_scheme=scheme)
    for name in ("Add a row", "Add a column"):
        for _ in range(3):
            page.get_by_role("button", name=name).click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    look(page, axe)


def test_what_the_page_tells_of_the_value_gives_way_to_what_follows_the_numbers(
    editor: Callable[..., Any],
) -> None:
    page = editor()
    assert page.locator("main > p:visible").all_text_contents() == ["Its value is 5."]
    note = page.get_by_text("The text below is about the matrix as it was.")
    assert not note.is_visible()
    page.get_by_label("Begin with").select_option("Matching pennies")
    assert page.evaluate(_SHOWN)["said"].startswith("The value is 0.")
    note.wait_for()
    page.get_by_role("button", name="Show it again").click()
    assert page.evaluate(_SHOWN)["said"].startswith("The value is 1/7 (0.143). The row player plays up")
    assert page.get_by_label("up, left", exact=True).evaluate("cell => cell === document.activeElement")
    assert not note.is_visible()

"""The site of the documentation, where `make docs` has made it: in a browser, from a plain file server, and from disk."""

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from docs_site.pages import DOCS, EDITABLE, contents, first_sentence
from docs_site.reference import described_names

from helpers.accessibility import look
from helpers.page_server import serving
from web.conftest import Visits

SITE = Path(__file__).parents[2] / "build" / "docs"
PAGES = [page for part in contents()["part"] for page in part["pages"] if not page.startswith("reference/")]
STAGE = next(page for page in PAGES if EDITABLE in (DOCS / f"{page}.md").read_text(encoding="utf-8"))
"""The page with a matrix that can be changed."""
NAMES = described_names()
"""Each page of the reference, and its names with the packages to import them from."""
PROMPTS = "reference/matrix"
"""A page with an example that has prompts."""
_CUT = """() => [...document.querySelectorAll("article pre")].flatMap((pre) => {
  const one = Object.assign(document.createElement("span"), {textContent: "0".repeat(90)});
  pre.append(one);
  const width = one.getBoundingClientRect().width / 90, style = getComputedStyle(pre);
  one.remove();
  const room = pre.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  return pre.textContent.split("\\n").filter((line) => line.length <= 90 && line.length * width > room);
})"""
"""Lines of blocks of at most 90 characters that are wider than their block."""
pytestmark = [
    pytest.mark.web,
    pytest.mark.skipif(not (SITE / "index.html").is_file(), reason="`make docs` has not been run"),
]


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """Its address."""
    with serving(SITE) as address:
        yield address


def made(pattern: str = "*.html") -> list[Path]:
    """The pages of the site but for those that show a file."""
    return [
        page
        for page in sorted(SITE.rglob(pattern))
        if page.relative_to(SITE).parts[0] not in ("code", "board")
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", ["index", "search", STAGE, PROMPTS, "parts/play-and-watch", *PAGES[::20]])
def test_no_page_has_a_violation_and_none_asks_another_host(
    site: str, visit: Visits, axe: str, name: str, scheme: str
) -> None:
    look(visit(f"{site}/{name}.html", color_scheme=scheme, bypass_csp=True), axe)


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("name", ["index", "reference/writing", "reference/search", STAGE, *PAGES[::20]])
def test_no_page_is_wider_than_the_screen(site: str, visit: Visits, name: str, width: int) -> None:
    assert (
        visit(f"{site}/{name}.html", viewport={"width": width, "height": 800}).evaluate(
            "document.documentElement.scrollWidth"
        )
        <= width
    )


def test_a_word_is_found(site: str, visit: Visits) -> None:
    visit(f"{site}/search.html?q=double+oracle").locator(
        "#search-results li", has_text=re.compile("double oracle", re.IGNORECASE)
    ).first.wait_for()


def test_each_page_tells_its_first_sentence_and_each_block_has_its_button_and_90_columns(
    visit: Visits,
) -> None:
    page = visit((SITE / "index.html").as_uri(), viewport={"width": 1280, "height": 800})
    faults = []
    blocks = 0
    for one in made():
        page.goto(one.as_uri())
        name = one.relative_to(SITE).as_posix()
        count, buttons = (
            page.locator(f"article .highlight {kind}").count() for kind in ("pre", "pre + button.copybtn")
        )
        blocks += count
        faults += [f"{name}: {count} blocks, {buttons} buttons"] if count != buttons else []
        faults += [f"{name}: cut: {line}" for line in page.evaluate(_CUT)]
        told = page.locator("meta[name=description]").get_attribute("content")
        first = page.locator("article h1 + p:not(:has(img))")
        if first.count():
            said = first_sentence(re.sub(r"\s+", " ", first.first.text_content()).strip())
            faults += [] if told == said else [f"{name}: the description is {told!r}, not {said!r}"]
    assert faults == []
    assert blocks > 100


@pytest.mark.parametrize("width", [1280, 1400, 1920])
def test_a_line_of_90_characters_fits_beside_the_button(site: str, visit: Visits, width: int) -> None:
    page = visit(f"{site}/{PROMPTS}.html", viewport={"width": width, "height": 800})
    page.evaluate("""() => {
      const block = document.querySelector("article .highlight").closest("div[class*=highlight-]");
      block.querySelector("pre").textContent = "0".repeat(90);
      document.querySelector("article section").append(block);
    }""")
    block = page.locator("article .highlight").last
    assert block.locator("pre").evaluate("pre => pre.scrollWidth - pre.clientWidth") == 0
    text = block.locator("pre").evaluate(
        "pre => { const all = document.createRange(); all.selectNodeContents(pre); return all.getBoundingClientRect().right; }"
    )
    assert text <= block.locator("button").bounding_box()["x"]


@pytest.mark.parametrize("how", ["mouse", "keys"])
def test_a_block_is_copied_without_prompts(site: str, visit: Visits, how: str) -> None:
    page = visit(f"{site}/{PROMPTS}.html", permissions=["clipboard-read", "clipboard-write"])
    block = page.locator(".highlight", has_text=">>> from saddlepoint.matrix import saddle_points").first
    button = block.get_by_role("button", name="Copy")
    if how == "mouse":
        block.hover()
        button.click()
    else:
        block.locator("pre").focus()
        page.keyboard.press("Tab")
        assert button.evaluate("button => button === document.activeElement")
        page.wait_for_function("getComputedStyle(document.activeElement).opacity === '1'")
        assert button.evaluate("button => getComputedStyle(button).outlineStyle") == "solid"
        page.keyboard.press("Enter")
    block.get_by_role("button", name="Copied!").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == (
        "from saddlepoint.matrix import saddle_points\nsaddle_points([[3, 2, 4], [1, 0, 5]])"
    )


@pytest.mark.parametrize("name", [*NAMES])
def test_the_reference_has_a_heading_for_each_name_its_parameters_as_a_list_and_its_example(
    site: str, visit: Visits, name: str
) -> None:
    page = visit(f"{site}/{name}.html")
    assert [text.removesuffix("¶") for text in page.locator("article h2").all_text_contents()] == [
        one for _, one in NAMES[name]
    ]
    for section, (package, one) in zip(
        page.locator("article section > section").all(), NAMES[name], strict=True
    ):
        value = getattr(import_module(package), one)
        if inspect.isfunction(inspect.unwrap(value)):
            assert section.locator("> dl > dd > dl.field-list strong").all_text_contents() == [
                *inspect.signature(value).parameters
            ], one
        example = re.search(
            r"^>>> .*", (inspect.getdoc(value) or "") if callable(value) else "", re.MULTILINE
        )
        shown = section.locator("> dl > dd > p.rubric:text-is('Example') + div pre")
        assert shown.count() == bool(example), one
        if example:
            assert shown.text_content().startswith(example[0])


def test_the_matrix_of_the_stage_can_be_changed_from_disk_too_and_the_page_tells_its_value(
    visit: Visits,
) -> None:
    page = visit((SITE / f"{STAGE}.html").as_uri())
    told = page.locator(
        "article p:visible", has_text=re.compile(r"\bvalue (of this matrix )?is\b", re.IGNORECASE)
    )
    note = page.get_by_text("The text below is about the matrix as it was.")
    assert [text[:16] for text in told.all_text_contents()] == ["The value is 1/7"]
    assert not note.is_visible()
    page.get_by_label("up, left", exact=True).fill("9")
    page.get_by_text("The value is 7/13").wait_for()
    assert [text[:17] for text in told.all_text_contents()] == ["The value is 7/13"]
    assert (
        page.locator("article table:visible").count() == 2
    )  # the one that was changed is shown once; the page has another one
    note.wait_for()
    page.get_by_role("button", name="Show it again").click()
    assert page.get_by_label("up, left", exact=True).input_value() == "3"
    assert [text[:16] for text in told.all_text_contents()] == ["The value is 1/7"]
    assert not note.is_visible()


@pytest.mark.parametrize("name", ["index", PROMPTS, STAGE, *PAGES[::20]])
def test_on_paper_nothing_lies_over_the_text_and_no_block_is_cut(site: str, visit: Visits, name: str) -> None:
    page = visit(f"{site}/{name}.html", viewport={"width": 720, "height": 1000})
    assert re.search(rb"/Type /Page\b", page.pdf(format="A4"))
    page.emulate_media(media="print")
    over = page.evaluate("""() => [...document.querySelectorAll("body *")].filter((one) =>
      ["fixed", "sticky"].includes(getComputedStyle(one).position) && one.checkVisibility() && one.getClientRects().length
      && one.textContent.trim()).map((one) => one.className)""")
    assert over == []
    cut = page.evaluate("""() => [...document.querySelectorAll("article pre")].filter((pre) => pre.scrollWidth > pre.clientWidth)
      .map((pre) => pre.textContent.slice(0, 60))""")
    assert cut == []
    assert not page.locator(".skip-to-content").is_visible()


@pytest.mark.skipif(not (SITE / "board").is_dir(), reason="`make site` has not been run before `make docs`")
@pytest.mark.parametrize("name", [*contents()["boards"]])
def test_a_live_board_is_there_in_the_place_of_a_picture(site: str, visit: Visits, name: str) -> None:
    page = visit(f"{site}/{name}.html", bypass_csp=True)
    page.locator("div.board").scroll_into_view_if_needed()
    page.frame_locator("div.board iframe").locator("main .board, main svg").first.wait_for()


def test_from_disk_a_word_is_found_too(visit: Visits) -> None:
    visit(f"{(SITE / 'search.html').as_uri()}?q=tremble").locator("#search-results a").first.wait_for()

"""Take pictures of every view of the page, at five widths, light and dark; with --docs also the few that README.md and
docs/analysis.md show.

    python tools/screenshots.py OUT --ledger games.db [--docs docs/images] [--only analysis] [--widths 390 1920]

Needs Chromium, and what tests/web needs. The ledger is of Light Riders; its second game is the one that is replayed.
"""

import argparse
import io
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from helpers.browser import CHROMIUM  # pyright: ignore[reportMissingImports]
from helpers.page_server import page_server  # pyright: ignore[reportMissingImports]
from helpers.views_of_page import VIEWS  # pyright: ignore[reportMissingImports]

SIZES = {360: 780, 390: 844, 800: 1000, 1280: 860, 1920: 1080}
DOCS = {
    ("analysis-cards", 1280, "light"),
    ("analysis-review", 1280, "dark"),
    ("analysis", 360, "light"),
    ("replay", 800, "dark"),
    ("arena", 800, "light"),
}
"""What docs/analysis.md shows."""
README = ("start", 1280, "light")
"""What README.md shows: the game at the top of the first view, without the list of games below it."""
_COLOURS = 128
_SETTLE = 4000  # milliseconds in which a view gets its figures


def small(picture: bytes) -> bytes:
    """The picture with few colours, which such drawings do not miss."""
    with Image.open(io.BytesIO(picture)) as image:
        few = image.convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE)
    out = io.BytesIO()
    few.save(out, "PNG", optimize=True)
    return out.getvalue()


def take(page: Page, address: str, complete: str) -> bytes:
    """A view from its top to its bottom."""
    page.goto("about:blank")
    page.goto(address)
    page.locator(complete).first.wait_for(timeout=120_000)
    page.wait_for_timeout(_SETTLE)
    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    if wide > 0:
        print(f"{address} is {wide} pixels too wide")
    return page.screenshot(full_page=True)


def main() -> None:
    """Read the command line, take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--ledger", type=Path, required=True)
    parser.add_argument("--docs", type=Path)
    parser.add_argument("--only", nargs="*", default=list(VIEWS))
    parser.add_argument("--widths", nargs="*", type=int, choices=SIZES, default=list(SIZES))
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    with page_server(asked.ledger) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for scheme in ("light", "dark"):
            for width in asked.widths:
                page = browser.new_page(
                    viewport={"width": width, "height": SIZES[width]},
                    color_scheme=scheme,
                    reduced_motion="reduce",
                )
                for name in asked.only:
                    fragment, complete = VIEWS[name]
                    picture = small(take(page, url + fragment, complete))
                    (asked.out / f"{name}-{width}-{scheme}.png").write_bytes(picture)
                    if asked.docs and (name, width, scheme) == README:
                        picture = small(page.locator(".hero").screenshot())
                    if asked.docs and (name, width, scheme) in (*DOCS, README):
                        asked.docs.mkdir(parents=True, exist_ok=True)
                        (asked.docs / f"{name}-{width}.png").write_bytes(picture)
                page.close()
        browser.close()


if __name__ == "__main__":
    main()

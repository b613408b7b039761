"""`report`: a ledger as one page for a browser."""

from datetime import UTC, datetime
from typing import Annotated

import typer

from ..system.files import STDOUT, check_output, write_lines
from ..system.patience import REPORT_BAR
from ..system.terminal import Progress, print, print_json
from ..system.text import count_of
from .arena_options import AsJson, grouped
from .common import Aliases, check_packages, read_game_name
from .ledger import LedgerArgument


@grouped
def report(
    ledger: LedgerArgument,
    output: Annotated[
        str | None,
        typer.Option(
            "-o", "--output", help="Write the page into this file (report.html; with --json: none)."
        ),
    ] = None,
    game: Annotated[
        str | None,
        typer.Option(
            "--game",
            metavar="GAME",
            callback=read_game_name,
            help="Only this game, by its name, or ./mygame.py:MyGame.",
        ),
    ] = None,
    tournament: Annotated[
        int | None, typer.Option("--tournament", min=1, help="Only this tournament.")
    ] = None,
    resamples: Annotated[
        int,
        typer.Option(
            "--resamples", min=0, max=100_000, help="Also intervals by bootstrap, by so many resamples: 200."
        ),
    ] = 0,
    *,
    aliases: Aliases,
    as_json: AsJson = False,
) -> None:
    """Write a ledger as one HTML page: ratings, who beats whom, replays.

    Example: saddlepoint report games.db -o report.html
    """
    from ..arena.ledger import Ledger
    from ..arena.report import gather, report_data

    path = output or (None if as_json else "report.html")
    check_output(path, as_json)
    if path is not None:
        check_packages("a page", "report", "jinja2")
    with Ledger(ledger, create=False) as book:
        with Progress(None, patience=REPORT_BAR) as bar:
            figures = gather(
                book, tournament, game, lambda done, total: bar.update(done, "games read", total=total)
            )
        data = report_data(book, figures, datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"), resamples)
    if as_json:
        print_json(aliases.beside(data))
    if path is None:
        return
    from ..arena.report.page import report_page

    players = {row["player"] for one in data["games"] for row in one["players"]}
    write_lines(
        path,
        [
            report_page(
                data,
                figures,
                {spec: aliases.name(spec) for spec in sorted(players) if aliases.name(spec) != spec},
            )
        ],
    )
    if not as_json and path != STDOUT:
        games = sum(one["games"] for one in data["games"])
        print(f"{path}: {count_of(games, 'game')}")

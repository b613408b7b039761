"""The whole page: one file with its style and script inside, which asks nothing of any network."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from typing import Any

from ...play.viewer import export
from ..conditions import in_words
from ..ledger import Ledger
from ..names import renamed, with_names
from . import sections
from .data import GameFigures
from .headings import heading_of, rules_of
from .markup import Markup, clean, clipped, element, joined
from .replays import follow, replay_html


def report_data(ledger: Ledger, figures: Sequence[GameFigures], made: str, resamples: int = 0) -> dict[str, Any]:
    """All figures as plain data; `made` is when, as text. With `resamples` ratings have bootstrap intervals, too."""
    return {"ledger": ledger.path.name, "made": made, "games": [one.summary(ledger, resamples) for one in figures]}


def report_page(data: dict[str, Any], figures: Sequence[GameFigures], names: Mapping[str, str] | None = None) -> str:
    """The page for these figures, `data` being `report_data` of them; `names` are short names of players, by spec."""
    names = names or {}
    data = renamed(data, lambda text: names.get(text, text))
    style, script = _asset("report.css") + _asset("figures.css") + export.asset("viewer.css"), export.bundled(_asset("report.js"))
    title = f"Saddlepoint report: {clipped(data['ledger'])}"
    head = element(
        "head",
        Markup('<meta charset="utf-8">'),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        # Should a text of the ledger ever become a tag after all, the browser would still not run it or load anything.
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{export.policy(script)}">'),
        Markup('<meta name="color-scheme" content="light dark">'),
        element("title", title),
        element("style", Markup(style)),
    )
    total = sum(one["games"] for one in data["games"])
    kinds_of_game = [heading_of(kept) for kept in figures]
    kinds = f", {len(kinds_of_game)} kinds of game" if len(kinds_of_game) > 1 else ""
    header = element(
        "header",
        element("h1", "Saddlepoint report"),
        sections.paragraph(
            element("bdi", clipped(data["ledger"])), f": {total:,} game{'s' * (total != 1)}{kinds}; {data['made']}", kind="lead"
        ),
        _contents(kinds_of_game) if len(kinds_of_game) > 1 else None,
        _legend(names) if names else None,
    )
    parts = [
        _game(number, name, one, kept, data["ledger"], names)
        for number, (name, one, kept) in enumerate(zip(kinds_of_game, data["games"], figures, strict=True), 1)
    ]
    body = element("body", header, element("main", *parts), element("script", Markup(script)))
    return joined(Markup("<!DOCTYPE html>\n"), element("html", head, "\n", body, lang="en"))


def _asset(name: str) -> str:
    return files("saddlepoint.arena.report").joinpath(name).read_text(encoding="utf-8")


def _contents(names: Sequence[str]) -> Markup:
    links = [element("li", element("a", name, href=f"#g{number}")) for number, name in enumerate(names, 1)]
    return element("nav", element("ul", *links), aria_label="Games")


def _legend(names: Mapping[str, str]) -> Markup:
    """What the short names stand for."""
    rows = [element("li", element("b", element("bdi", name)), ": ", element("code", clipped(spec))) for spec, name in names.items()]
    return element("details", element("summary", "Names of players"), element("ul", *rows), class_="names")


def _game(number: int, name: str, data: dict[str, Any], kept: GameFigures, ledger: str, names: Mapping[str, str]) -> Markup:
    key = f"g{number}"
    rules = rules_of(kept.tournaments[0])
    made: dict[str, Markup] = {"ratings": sections.ratings(key, data)}
    if data["ratings"]:
        made["cross"] = sections.cross_table(key, data)
    made["latency"] = sections.latency(key, data)
    made["losses"] = sections.losses(key, data)
    made["lengths"] = sections.lengths(key, data)
    made["openings"] = sections.openings(key, data, rules)
    for part in ("longest", "shortest"):
        if data[part]:
            made[part] = sections.games(key, part, "Of the games that ended by the rules.", data[part])
    if data["faulty"]:
        count, shown = data["fault_count"], len(data["faulty"])
        said = f"{count:,} game{'s' * (count != 1)}{f'; the first {shown}:' if count > shown else ':'}"
        made["faulty"] = sections.games(key, "faulty", said, data["faulty"], f"saddlepoint ledger replay {shlex.quote(clean(ledger))}")
    entries = {entry.id: replace(entry, played=with_names(entry.played, names)) for shown in kept.shown.values() for entry in shown}
    made["replays"] = sections.section(key, "replays", *(replay_html(follow(rules, entry)) for _, entry in sorted(entries.items())))
    links = [element("li", element("a", sections.TITLES[part], href=f"#{key}-{part}")) for part in made]
    contents = element("nav", element("ul", *links), class_="inline", aria_label=f"Parts of {name}")
    head = (element("h2", name), contents, _tournaments(data["tournaments"]), sections.uncounted(data))
    return element("article", *head, *made.values(), id=key)


def _tournaments(tournaments: Sequence[dict[str, Any]]) -> Markup:
    rows: list[tuple[object, Sequence[object]]] = []
    for one in tournaments:
        games = f"{one['games']:,}" + (f" of {one['planned']}" if one["planned"] and one["planned"] != one["games"] else "")
        began = clean(one["created"])[:16].replace("T", " ")
        rows.append((clipped(f"{one['id']}: {one['kind']}, {in_words(one['terms'])}"), [games, began]))
    note = None
    if len({repr(one["terms"]) for one in tournaments}) > 1:
        text = "Their conditions differ, and the figures below put them together; --tournament reports one alone."
        note = sections.paragraph(text, kind="note")
    return joined(sections.table("Tournaments", "Tournament", ["Games", "Began (UTC)"], rows), note)

"""Every view of the page, with what makes it complete: for the tests of accessibility and for tools/screenshots.py."""

from urllib.parse import quote

RIDERS = quote("light_riders(width=8, height=8)")
OPENING = "m=1.0,1.0,0.3"
VARIATIONS = quote("g2,(2.0{this loses room},1.1),g1,(3.3)")

VIEWS = {
    "start": ("#/", ".hero .matrix"),
    "options": (f"#/?g={RIDERS}", "select"),
    "play": (f"#/play?g={RIDERS}&a=you&b=by%3Arandom", "svg.sp-board"),
    "play-over": (f"#/play?g=biased_rps&s={quote('(-1, -1)')}&m=0.2&a=you&b=by%3Arandom", ".end button"),
    "play-bids": ("#/play?g=oshi_zumo&a=you&b=by%3Arandom", ".choices button"),
    "friend": ("#/friend", ".friend-form select"),
    "watch": (f"#/watch?g={RIDERS}&a=by%3Arandom&b=by%3Arandom", "svg.sp-board"),
    "analysis-open": ("#/analysis", "textarea"),
    "analysis": (f"#/analysis?g={RIDERS}&{OPENING}", ".matrix button.played"),
    "analysis-variations": (
        f"#/analysis?g={RIDERS}&{OPENING}&t={VARIATIONS}&at=3",
        ".tree .comment:not([hidden])",
    ),
    "analysis-cards": (
        f"#/analysis?g={quote('goofspiel(cards=4)')}&m=3.-1,0.3,1.-1",
        ".matrix button.played",
    ),
    "analysis-review": ("#/analysis?l=1&n=2&review=1", ".story li"),
    "analysis-turns": (f"#/analysis?g={quote('simplexity(rows=4, cols=4, win=3)')}", ".ranking button"),
    "replay-open": ("#/replay", ".drop"),
    "replay": ("#/replay?l=1&n=2&at=3", ".sp-count"),
    "replay-sample": ("#/replay?sample=1", ".sp-count"),
    "arena-match": ("#/arena?match=1", ".page-match button"),
    "arena": ("#/arena", ".game-list tbody tr"),
}
"""Fragment of the address, and a selector of what is there when the view is complete; the server has a ledger."""

"""HTML from parts: whatever is not markup already is escaped, so nothing a ledger holds can become a tag."""

import html
import re

DASH, MINUS = "\u2013", "\u2212"
_LONGEST = 300  # characters of a text that somebody else wrote
# Control characters, which HTML does not have, and those that turn the direction of the text after them.
_UNSHOWABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


class Markup(str):
    """Text that is HTML already."""


def clean(value: object) -> str:
    """A value as text that can be shown: no control characters, no lone surrogates."""
    return _UNSHOWABLE.sub("\ufffd", str(value))


def clipped(value: object, longest: int = _LONGEST) -> str:
    """A value as text of bounded length."""
    text = clean(value)
    return text if len(text) <= longest else text[: longest - 1] + "…"


def escaped(value: object) -> Markup:
    """A value as HTML: markup as it is, anything else as text."""
    return value if isinstance(value, Markup) else Markup(html.escape(clean(value)))


def joined(*parts: object) -> Markup:
    """Parts one after the other; None is left out."""
    return Markup("".join(escaped(part) for part in parts if part is not None))


def element(tag: str, *children: object, **attributes: object) -> Markup:
    """An element; `class_` is written class, `aria_label` aria-label; attributes that are None or False are left out."""
    words = [tag]
    for name, value in attributes.items():
        if value is None or value is False:
            continue
        key = name.rstrip("_").replace("_", "-")
        words.append(key if value is True else f'{key}="{html.escape(clean(value))}"')
    return Markup(f"<{' '.join(words)}>{joined(*children)}</{tag}>")

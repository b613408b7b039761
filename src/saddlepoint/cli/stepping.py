"""Turning the pages of a game at a terminal."""

from .terminal import ask, both_are_terminals, print, print_page


def show_pages(pages: list[str]) -> None:
    """Let a person at a terminal step through them: Enter for the next, b for the one before, a number to go there, q to quit.

    Elsewhere they are printed one after the other.
    """
    if not both_are_terminals():
        print("\n\n".join(pages))
        return
    at = 0
    while True:
        print_page(pages[at])
        try:
            word = ask("\nEnter next, b back, a number, q quit: ").lower()
        except EOFError:
            return
        if word == "q" or (not word and at == len(pages) - 1):
            return
        target = int(word) if word.isdecimal() else at - 1 if word == "b" else at + 1
        at = min(max(target, 0), len(pages) - 1)

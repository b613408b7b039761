"""Turning the pages of a game at a terminal."""


def step_through(pages: list[str]) -> None:
    """Show a page at a time: Enter for the next, b for the one before, a number to go there, q to quit."""
    from rich.console import Console

    from .play import coloured

    console, at = Console(), 0
    while True:
        console.clear()
        console.print(coloured(pages[at]))
        try:
            word = input("\nEnter next, b back, a number, q quit: ").strip().lower()
        except EOFError:
            return
        if word == "q" or (not word and at == len(pages) - 1):
            return
        target = int(word) if word.isdigit() else at - 1 if word == "b" else at + 1
        at = min(max(target, 0), len(pages) - 1)

"""What the arena's own iterations raise where they find no answer."""


class ConvergenceError(ValueError):
    """An iteration that did not settle: there is no figure to show, rather than a wrong one."""

    def __init__(self, what: str, rounds: int) -> None:
        super().__init__(f"{what} cannot be computed from these results: the iteration had not converged after {rounds} rounds")

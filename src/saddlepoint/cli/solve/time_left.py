"""How long solving still takes, where that can be told."""


class TimeLeft:
    """Positions in all, by the share of the branches that is done.

    What meets again is solved once, so that later branches are often much faster than the first. The share tells the time only
    where it grew steadily: where half the time ago it told about the same total.
    """

    _AGREE = 1.25
    _LEAST_SECONDS = 5.0

    def __init__(self) -> None:
        self._told: list[tuple[float, float]] = []

    def total(self, seconds: float, positions: int, share: float) -> int | None:
        """How many positions there will be, about; None where nobody can say."""
        if share <= 0 or seconds < self._LEAST_SECONDS:
            return None
        wanted = positions / share
        while len(self._told) > 1 and self._told[1][0] <= seconds / 2:
            self._told.pop(0)
        self._told.append((seconds, wanted))
        then, before = self._told[0]
        steady = then <= seconds / 2 and max(before, wanted) <= self._AGREE * min(before, wanted)
        return max(int(wanted), positions) if steady else None

"""Requests that are refused."""


class Refused(Exception):
    """A request that is answered with a status and one sentence."""

    def __init__(self, sentence: str, status: int = 400) -> None:
        super().__init__(sentence)
        self.sentence, self.status = sentence, status


class StillCompiling(Exception):
    """The request can be answered once this is compiled, in about so many seconds."""

    def __init__(self, what: str, left: float) -> None:
        super().__init__(what)
        self.what, self.left = what, left


def first_line(error: BaseException) -> str:
    """What is told of an error: its first line, which is never a trace."""
    return (str(error).splitlines() or [type(error).__name__])[0][:300]

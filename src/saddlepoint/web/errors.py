"""Requests that are refused."""

import traceback
from collections.abc import Iterable
from pathlib import PurePath


class Refused(Exception):
    """A request that is answered with a status and one sentence."""

    def __init__(self, sentence: str, status: int = 400) -> None:
        super().__init__(sentence)
        self.sentence, self.status = sentence, status


class StillCompiling(Exception):
    """The request can be answered once this is compiled: waited for for so many seconds, and so many others come first."""

    def __init__(self, what: str, seconds: float, ahead: int) -> None:
        super().__init__(what)
        self.what, self.seconds, self.ahead = what, seconds, ahead


def first_line(error: BaseException) -> str:
    """What is told of an error: its first line, which is never a trace."""
    return (str(error).splitlines() or [type(error).__name__])[0][:300]


def blamed(error: BaseException, files: Iterable[str] = ()) -> str:
    """The kind of what somebody's own code did wrong, with the line of the last of these `files` that it came through.

    Not its text, which may hold what is nobody's business: who started the server reads it there.
    """
    lines = [(frame.f_code.co_filename, number) for frame, number in traceback.walk_tb(error.__traceback__)]
    own = [f" ({PurePath(file).name}, line {number})" for file, number in lines if file in files]
    return f"{type(error).__name__}{own[-1] if own else ''}"

"""What makes namespaces on this machine."""

import shutil

import pytest

from saddlepoint.players.programs import supervision
from saddlepoint.players.programs.supervision import BUBBLEWRAP, NAMESPACES

_BUBBLEWRAP = pytest.param(
    BUBBLEWRAP,
    marks=[
        pytest.mark.slow,
        pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed"),
    ],
)


@pytest.fixture(params=[NAMESPACES, _BUBBLEWRAP])
def means(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Programs run in namespaces, made by the library itself or by bubblewrap; both promise the same."""
    if request.param == BUBBLEWRAP:
        monkeypatch.setattr(supervision, "_available", lambda: (BUBBLEWRAP, ""))
    return request.param

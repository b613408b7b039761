"""A search that calls itself: the type of its result is found once.

At each place where a function calls itself Numba infers the types of its whole body anew to learn what it returns,
and again whenever an argument's type is looked at. That took a third of the time to compile a search. The searches of this package
return one type everywhere; other code is left alone.
"""

from typing import Any

from numba.core.typeinfer import TypeInferer

from .imports import PACKAGE

_Inferer: Any = TypeInferer
_infer_anew = _Inferer.return_types_from_partial


def _infer_once(inferer: Any) -> Any:
    """The type of a recursive function's result, as far as it is known; None where it is not yet."""
    known = inferer.__dict__.get("_result_type")
    if known is None:
        known = _infer_anew(inferer)
        if known is not None and inferer.func_ir.loc.filename.startswith(f"{PACKAGE}/"):
            inferer._result_type = known
    return known


_Inferer.return_types_from_partial = _infer_once

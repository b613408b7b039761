"""Two things that Numba's type inference asks again and again are asked once.

At each place where a function calls itself Numba infers the types of its whole body anew to learn what it returns,
and again whenever an argument's type is looked at. That took a third of the time to compile a search. The searches of this package
return one type everywhere; other code is left alone.

At each `a + b` it tries its ways to add one after the other, although it found the same one for the same types a line before. That took
a sixth. What is written for one set of flags (an overload in Python) is still looked for each time.
"""

from typing import Any

from numba.core.typeinfer import TypeInferer
from numba.core.types import functions

from .imports import PACKAGE

_Inferer: Any = TypeInferer
_infer_anew = _Inferer.return_types_from_partial
_Function: Any = functions.Function
_resolve_anew = _Function.get_call_type


def _infer_once(inferer: Any) -> Any:
    """The type of a recursive function's result, as far as it is known; None where it is not yet."""
    known = inferer.__dict__.get("_result_type")
    if known is None:
        known = _infer_anew(inferer)
        if known is not None and inferer.func_ir.loc.filename.startswith(f"{PACKAGE}/"):
            inferer._result_type = known
    return known


def _resolve_once(function: Any, context: Any, args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
    """The signature of a built-in function for arguments of these types."""
    if kws:
        return _resolve_anew(function, context, args, kws)
    resolved = function.__dict__.setdefault("_resolved", {})
    signature = resolved.get(args)
    if signature is None:
        signature = _resolve_anew(function, context, args, kws)
        if signature is not None and function.get_impl_key(signature) is function.typing_key:
            resolved[args] = signature
    return signature


_Inferer.return_types_from_partial = _infer_once
_Function.get_call_type = _resolve_once

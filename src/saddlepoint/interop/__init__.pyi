from typing import Any

from .batch import BatchEnv as BatchEnv, BatchStep as BatchStep

def library(name: str, extra: str, module: str = "") -> Any: ...

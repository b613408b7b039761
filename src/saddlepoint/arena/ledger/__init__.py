"""The record of all games: one SQLite file."""

from .ledger import Filter, Ledger
from .rows import Entry, Tournament, VoidEntry
from .schema import LedgerError

__all__ = ["Entry", "Filter", "Ledger", "LedgerError", "Tournament", "VoidEntry"]

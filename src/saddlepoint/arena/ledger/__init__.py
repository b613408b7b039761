"""The record of all games: one SQLite file."""

from ...play.ledger_file import LedgerError
from .ledger import ORDERS, Filter, Ledger
from .rows import Entry, Tournament, VoidEntry

__all__ = ["ORDERS", "Entry", "Filter", "Ledger", "LedgerError", "Tournament", "VoidEntry"]

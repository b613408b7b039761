"""Published figures of exact algorithms for simultaneous games, and the same work done here."""

from .measure import Measured as Measured, measure as measure
from .rows import ROWS as ROWS, Figure as Figure, Row as Row, rows_named as rows_named

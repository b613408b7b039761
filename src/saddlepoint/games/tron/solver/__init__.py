"""Tron (Light Riders), solved for the value alone: of a start, or of any position."""

from .field import Field, Start, every_start, open_field, read_field, text_of
from .value import FoundValue, ValueSearch

__all__ = ["Field", "FoundValue", "Start", "ValueSearch", "every_start", "open_field", "read_field", "text_of"]

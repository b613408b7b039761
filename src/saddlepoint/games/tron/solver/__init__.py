"""Tron (Light Riders), solved for the value alone: of a start, or of any position."""

from .value import FoundValue, Start, ValueSearch, every_start, read_position

__all__ = ["FoundValue", "Start", "ValueSearch", "every_start", "read_position"]

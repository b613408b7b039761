"""Geometry shared by games on a grid: cells, bitboards, floods, regions, longest paths."""

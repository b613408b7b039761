"""Tron-41 as its course plays it: the course's bot files run here, our players as its bot files, its runner."""

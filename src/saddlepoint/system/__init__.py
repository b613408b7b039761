"""Connections to the system: the terminal, files and JSON, sockets, other machines, optional packages."""

"""What lies outside: the terminal, files and JSON that others wrote, sockets, other machines, optional packages."""

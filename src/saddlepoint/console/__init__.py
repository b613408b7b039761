"""What commands print to, write to and read from: a terminal, files, tables."""

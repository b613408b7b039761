"""Other libraries' interfaces: each lies in a file or a folder of its own, and only that loads the other library."""

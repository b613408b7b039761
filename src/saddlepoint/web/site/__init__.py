"""The page without a server: files for any static host."""

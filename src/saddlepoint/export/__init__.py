"""A game and a player as WebAssembly, and as one file of JavaScript: docs/exporting.md. Nothing else loads this."""

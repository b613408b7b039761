"""The screens of `play` and `show`: a game on a whole terminal, drawn by textual, which is loaded when a screen opens."""

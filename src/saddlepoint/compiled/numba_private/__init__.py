"""All that this library uses of Numba and that Numba does not promise to keep: it is in this folder, and nowhere else.

Each `Borrowing` (`functions.py`) says what it saves, and which of Numba's functions it was written for. Where Numba has others, it is
left off, which is said once: all works as before, and takes longer to compile or to load.

Nothing changes for a user's own Numba code: what replaces a function of Numba does so only while a function of this library is compiled.
The one exception is that Ctrl-C waits while any machine code is loaded (`signals.py`): without it the process may crash.

What Numba's guide to extensions and its page on events tell (`numba.extending`, `numba.core.cgutils`, `errors`, `event`) is used wherever
it is needed.
"""

"""What all tests share."""

import signal

from hypothesis import settings

# The first example of a property may compile for seconds.
settings.register_profile("saddlepoint", deadline=None)
settings.load_profile("saddlepoint")

# A run in the background may have been started with Ctrl-C ignored, and the programs it starts would inherit that.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

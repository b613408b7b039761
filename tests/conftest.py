"""What all tests share."""

from hypothesis import settings

# The first example of a property may compile for seconds.
settings.register_profile("saddlepoint", deadline=None)
settings.load_profile("saddlepoint")

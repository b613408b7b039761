"""`python -m saddlepoint`."""

from .cli import main

main()

"""Random choices from one seed, each independent of all others for whoever does not know it."""

import hashlib

SEED_BITS = 128
PLAYER_SEED_BITS = 63
"""What a player is told fits a signed number of 64 bits: programs in any language can read it."""


def derived_seed(seed: int, *purpose: object, bits: int = SEED_BITS) -> int:
    """The seed for one purpose, a number below 2^bits (at most 512), by a hash whose key is `seed`.

    Who knows seeds of other purposes, and what they are for, learns nothing about this one, unless he can try out all
    values that `seed` may have: a seed that is to be a secret has 128 bits (`secrets.randbits(SEED_BITS)`).
    """
    key = hashlib.blake2b(str(seed).encode(), digest_size=32).digest()
    words = "\0".join(str(word) for word in purpose).encode()
    found = hashlib.blake2b(words, digest_size=-(-bits // 8), key=key).digest()
    return int.from_bytes(found) & ((1 << bits) - 1)


def player_seed(game_seed: int, player: int) -> int:
    """The seed that a player of a game is told."""
    return derived_seed(game_seed, "player", player, bits=PLAYER_SEED_BITS)

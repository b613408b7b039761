"""Whether two machines have the same library: only then is what one of them computes the other's result."""

import functools
import hashlib

from ..compiled.sources import PACKAGE, package_digest

VERSIONS = "saddlepoint, Numba or Python"
INSTALL = "install the same on all machines, and start Dask there again"


class OtherVersionError(ValueError):
    """A worker has not the same version of this library as the machine that sends it work."""


@functools.cache
def library_digest() -> str:
    """Digest of everything that a result from elsewhere depends on: all sources of this library, Numba and Python."""
    digest = hashlib.blake2b(package_digest().encode(), digest_size=8)
    for path in sorted((*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.pyi"))):
        digest.update(str(path.relative_to(PACKAGE)).encode() + path.read_bytes())
    return digest.hexdigest()

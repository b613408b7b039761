"""The notices of the code that is linked into an export."""

from importlib.metadata import PackageNotFoundError, distribution

_OWN = """Made with Saddlepoint, whose code is in it: licensed under the Apache License, Version 2.0 (the "License"); you may not use it
except in compliance with the License. You may obtain a copy of the License at https://www.apache.org/licenses/LICENSE-2.0.
Unless required by applicable law or agreed to in writing, it is distributed on an "AS IS" BASIS, WITHOUT WARRANTIES OR
CONDITIONS OF ANY KIND, either express or implied. See the License for the specific language governing permissions and
limitations under the License. The rules of a game of your own stay yours.

The code was made with LLVM, which is licensed under the Apache License, Version 2.0, with LLVM Exceptions
(https://llvm.org/LICENSE.txt); none of its run-time library is in it."""


def notices() -> str:
    """All of them, as text."""
    return "\n\n".join([_OWN, *(f"{name}, whose functions may be in it:\n\n{_licence(name)}" for name in ("numba", "llvmlite"))]) + "\n"


def _licence(name: str) -> str:
    """The licence that came with an installed package."""
    try:
        for file in distribution(name).files or ():
            if file.name.upper() in ("LICENSE", "LICENSE.TXT"):
                return file.read_text().strip()
    except (PackageNotFoundError, OSError):
        pass
    return "BSD 2-Clause License"

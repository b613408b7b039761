"""Only for wheels that carry compiled code (`make wheel`): SADDLEPOINT_BUNDLED names its folder, and the wheel is for this Python."""

import os
import shutil
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

BUNDLED = os.environ.get("SADDLEPOINT_BUNDLED")


class WithCompiledCode(build_py):
    """The package, and the compiled code in its place."""

    def run(self) -> None:
        """Build."""
        super().run()
        if BUNDLED and not self.editable_mode:
            shutil.copytree(
                BUNDLED, Path(self.build_lib, "saddlepoint", "compiled", "bundled"), dirs_exist_ok=True
            )


class ForOnePython(Distribution):
    """What is compiled fits one Python on one kind of machine."""

    def has_ext_modules(self) -> bool:
        """Whether the wheel's name says so."""
        return True


if BUNDLED:
    setup(cmdclass={"build_py": WithCompiledCode}, distclass=ForOnePython)
else:
    setup()

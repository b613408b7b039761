"""Only for wheels that carry compiled code (`make wheel`): SADDLEPOINT_CARRIED names its folder, and the wheel is for this Python."""

import os
import shutil
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

CARRIED = os.environ.get("SADDLEPOINT_CARRIED")


class WithCompiledCode(build_py):
    """The package, and the compiled code in its place."""

    def run(self) -> None:
        """Build."""
        super().run()
        if CARRIED and not self.editable_mode:
            shutil.copytree(CARRIED, Path(self.build_lib, "saddlepoint", "compiled", "carried"), dirs_exist_ok=True)


class ForOnePython(Distribution):
    """What is compiled fits one Python on one kind of machine."""

    def has_ext_modules(self) -> bool:
        """Whether the wheel's name says so."""
        return True


if CARRIED:
    setup(cmdclass={"build_py": WithCompiledCode}, distclass=ForOnePython)
else:
    setup()

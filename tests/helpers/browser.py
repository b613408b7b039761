"""A real browser without a window, for pages that have to work in one: Chromium, driven by a script put into the page."""

import html
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
MISSING = (
    "the page's tests need Chromium: install it (Debian: apt-get install chromium); "
    "`SADDLEPOINT_NO_BROWSER=1 .ci/run` goes without them"
)
_QUESTION = "<script>addEventListener('load', async () => parent.postMessage(await (async () => {{ {script} }})(), '*'));</script></body>"
# In a frame, because a window of Chromium's has a least width that is no phone's.
_FRAME = """<!DOCTYPE html><meta name="color-scheme" content="light dark"><body><pre id="answer"></pre>
<script>addEventListener("message", (said) => { document.getElementById("answer").textContent = JSON.stringify(said.data); });</script>
<iframe src="%s" style="width: %dpx; height: 900px; border: 0"></iframe></body>"""


def load(page: Path, profile: Path, dark: bool = False, fragment: str = "") -> tuple[str, list[str]]:
    """The document after its scripts ran, and what the console was told."""
    assert CHROMIUM is not None
    command = [
        CHROMIUM,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        f"--user-data-dir={profile}",
        "--window-size=1400,1000",
        f"--blink-settings=preferredColorScheme={0 if dark else 1}",
        "--virtual-time-budget=5000",
        "--enable-logging=stderr",
        "--dump-dom",
        page.as_uri() + fragment,
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]


def ask(page: Path, profile: Path, script: str, width: int = 1280, dark: bool = False) -> Any:
    """What a function body `script` returns in the page; the page's own policy against scripts is taken out for it."""
    text = re.sub(r"<meta http-equiv=[^>]*>", "", page.read_text(encoding="utf-8"))
    asked, frame = page.with_name(f"asked-{page.name}"), page.with_name(f"frame-{page.name}")
    asked.write_text(text.replace("</body>", _QUESTION.format(script=script)), encoding="utf-8")
    frame.write_text(_FRAME % (asked.name, width), encoding="utf-8")
    document, console = load(frame, profile, dark=dark)
    assert not console, console
    found = re.search(r'<pre id="answer">(.+?)</pre>', document, re.DOTALL)
    assert found, "the script gave no answer"
    return json.loads(html.unescape(found[1]))


if __name__ == "__main__":
    sys.exit(MISSING if CHROMIUM is None else 0)

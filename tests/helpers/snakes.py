"""Snakes for the tests: one small server of Battlesnake, which misbehaves as the path of its address says."""

import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

SOURCE = '''
import json, os, subprocess, sys, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

NOTES, START = sys.argv[2], 2
STEPS = {"up": (0, 1), "right": (1, 0), "down": (0, -1), "left": (-1, 0)}

def good_move(data):
    """The first direction that is free now."""
    board, head = data["board"], data["you"]["head"]
    taken = {(cell["x"], cell["y"]) for snake in board["snakes"] for cell in snake["body"]}
    for move, (dx, dy) in STEPS.items():
        x, y = head["x"] + dx, head["y"] + dy
        if 0 <= x < board["width"] and 0 <= y < board["height"] and (x, y) not in taken:
            return move
    return "up"

class Snake(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def say(self, body, status=200, **headers):
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def raw(self, *pieces, pause=0.0):
        self.close_connection = True
        try:
            for piece in pieces:
                self.wfile.write(piece)
                time.sleep(pause)
        except OSError:
            pass

    def forever(self, piece, pause=0.0):
        while not self.close_connection:
            try:
                self.wfile.write(piece)
                time.sleep(pause)
            except OSError:
                self.close_connection = True

    def do_GET(self):
        note(["GET", self.path])
        if self.path.startswith("/unborn"):
            self.say({}, 404)
        else:
            self.say({"apiversion": "1", "version": open(NOTES + ".version").read() if os.path.exists(NOTES + ".version") else "7"})

    def do_POST(self):
        data = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        kind, path = self.path.split("/")[-2:]
        kind = kind or "good"
        note([self.path, data, self.client_address[1]])
        if path != "move":
            self.say(b"")
        elif data["turn"] == START and kind != "good":
            misbehave(self, kind, data)
        else:
            if kind == "good" and len(sys.argv) > 3:
                time.sleep(float(sys.argv[3]))
            self.say({"move": good_move(data), "shout": "hello", "more": [1]})

    def log_message(self, *words):
        print(*words)  # a server that talks much

def misbehave(self, kind, data):
    good = json.dumps({"move": good_move(data)}).encode()
    head = b"HTTP/1.1 200 OK\\r\\n"
    if kind == "endless":
        self.raw(head + b"\\r\\n")
        self.close_connection = False
        self.forever(b" " * 65536)
    elif kind == "huge":
        self.raw(head + b"Content-Length: 10000000\\r\\n\\r\\n" + good + b" " * 9999000)
    elif kind == "huge_chunks":
        self.raw(head + b"Transfer-Encoding: chunked\\r\\n\\r\\n", *[b"100000\\r\\n" + b" " * 0x100000 + b"\\r\\n"] * 10)
    elif kind == "huge_number":
        self.raw(head + b"Content-Length: 999999999999999999\\r\\n\\r\\n" + good)
    elif kind == "huge_chunk_number":
        self.raw(head + b"Transfer-Encoding: chunked\\r\\n\\r\\nffffffffffffff\\r\\n" + good)
    elif kind == "endless_header":
        self.raw(head)
        self.close_connection = False
        self.forever(b"X-More: " + b"x" * 60000 + b"\\r\\n")
    elif kind == "continue":
        self.forever(b"HTTP/1.1 100 Continue\\r\\n\\r\\n")
    elif kind == "slow":
        self.forever(b"H", 0.05)
    elif kind == "slow_body":
        self.raw(head + b"Content-Length: 1000\\r\\n\\r\\n")
        self.close_connection = False
        self.forever(b" ", 0.05)
    elif kind == "silent":
        time.sleep(2)
        self.say(good)
    elif kind == "redirect":
        self.say(good, 302, Location="http://%s/good/move" % self.headers["Host"])
    elif kind == "moved":
        self.say(good, 308, Location="http://%s/good/move" % self.headers["Host"])
    elif kind == "bad_utf8":
        self.say(b"\\xff\\xc3(" + good)
    elif kind == "closes_mid_answer":
        self.raw(head + b"Content-Length: 1000\\r\\n\\r\\n" + good)
    elif kind == "hangs_up":
        self.close_connection = True
    elif kind == "nan":
        self.say(b'{"move": NaN}')
    elif kind == "deep":
        self.say(b"[" * 60000)
    elif kind == "deep_object":
        self.say(b'{"move":' * 8000)
    elif kind == "long_number":
        self.say(b'{"move": ' + b"9" * 60000 + b"}")
    elif kind == "list":
        self.say(["up"])
    elif kind == "status":
        self.say(good, 500)
    elif kind == "sideways":
        self.say({"move": "sideways"})
    elif kind == "capitals":
        self.say({"move": "UP"})
    elif kind == "nothing":
        self.say(b"")
    elif kind == "no_http":
        self.raw(b"move up\\r\\n\\r\\n")
    elif kind == "dies":
        os._exit(3)

def note(what):
    with open(NOTES, "a") as file:
        file.write(json.dumps(what) + "\\n")

if os.environ.get("CHILD"):
    note(["child", subprocess.Popen(["sleep", "1000"]).pid, os.getpid()])
ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Snake).serve_forever()
'''


class Server:
    """A running server, and what it was asked."""

    def __init__(self, port: int, notes: Path) -> None:
        self.url, self.notes = f"http://127.0.0.1:{port}", notes

    def asked(self, kind: str) -> list[tuple[str, dict[str, Any]]]:
        """The requests to the snake of this kind: `start`, `move` or `end`, and the body."""
        lines = [json.loads(line) for line in self.notes.read_text().splitlines()]
        return [(line[0].rpartition("/")[2], line[1]) for line in lines if line[0].startswith(f"/{kind}/")]

    def connections(self, kind: str) -> list[int]:
        """The ports from which they came."""
        lines = [json.loads(line) for line in self.notes.read_text().splitlines()]
        return [line[2] for line in lines if line[0].startswith(f"/{kind}/")]


def program(folder: Path) -> str:
    """The command of the server without its port and notes."""
    file = folder / "snake.py"
    file.write_text(SOURCE)
    return f"{sys.executable} {file}"


@contextmanager
def serving(folder: Path, *more: str) -> Iterator[Server]:
    """The server on a free port of this machine, ended afterwards."""
    from saddlepoint.players.programs.player import free_port

    notes, port = folder / "notes.jsonl", free_port()
    notes.write_text("")
    command = [*program(folder).split(), str(port), str(notes), *more]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            deadline = time.monotonic() + 60
            while True:
                try:
                    urllib.request.build_opener(urllib.request.ProxyHandler({})).open(
                        f"http://127.0.0.1:{port}/"
                    ).close()
                    break
                except OSError:
                    assert time.monotonic() < deadline
                    assert process.poll() is None
                    time.sleep(0.05)
            yield Server(port, notes)
        finally:
            process.kill()

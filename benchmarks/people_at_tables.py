"""How soon both boards show a move: people with real WebSockets at the tables of a real server.

python benchmarks/people_at_tables.py --people 200 --seconds 60

Each person is a task with a channel of its own and thinks for a while; the time of a round is measured from the second choice until
both have its positions, as the page does: the message on the channel, then `POST /api/positions`. The people share the server's cores.
"""

import argparse
import asyncio
import json
import os
import random
import statistics
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import websockets

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from helpers.page_server import Server


class Table:
    """What the two people of a table share: when the last choice was sent."""

    def __init__(self) -> None:
        self.sent = 0.0


async def person(
    url: str,
    key: str,
    table: Table,
    http: httpx.AsyncClient,
    until: float,
    think: float,
    delays: list[float],
    done: list[int],
) -> None:
    """Somebody who plays game after game."""
    draw = random.Random(key)
    async with websockets.connect(f"ws{url.removeprefix('http')}/ws/table", origin=url) as channel:
        await channel.send(json.dumps({"do": "open", "key": key}))
        await channel.send(json.dumps({"do": "sit", "name": key[:20]}))
        shown, chosen, over = -1, -1, -1
        while time.monotonic() < until:
            try:
                message = json.loads(await asyncio.wait_for(channel.recv(), 5.0))
            except TimeoutError:
                continue
            if message["kind"] != "table":
                raise RuntimeError(message)
            if message["points"] is not None:
                if over != message["games"]:  # a second wish could come when the next game has begun
                    await channel.send(json.dumps({"do": "wish", "what": "again"}))
                shown, chosen, over = -1, -1, message["games"]
                continue
            moves = message["moves"]
            if len(moves) > shown:
                game = {"game": message["game"], "start": message["start"], "moves": moves}
                answer = (await http.post("/api/positions", json={**game, "from": len(moves)})).json()
                if shown >= 0:
                    delays.append(time.monotonic() - table.sent)
                    done.append(1)
                shown, position = len(moves), answer["positions"][-1]
            seat = message["seat"]
            if (
                seat in position["to_act"]
                and not message["chosen"][seat]
                and all(message["names"])
                and chosen < len(moves)
            ):
                await asyncio.sleep(draw.uniform(0.5, 1.5) * think)
                legal = [move["action"] for move in position["picture"]["moves"] if move["player"] == seat]
                chosen, table.sent = len(moves), time.monotonic()
                await channel.send(
                    json.dumps({"do": "choose", "move": len(moves), "action": draw.choice(legal)})
                )


async def run(url: str, people: int, seconds: float, think: float, game: str) -> None:
    limits = httpx.Limits(max_connections=people)
    async with httpx.AsyncClient(base_url=url, timeout=60, limits=limits) as http:
        while (await http.post("/api/new", json={"game": game})).status_code == 202:
            await asyncio.sleep(1)
        tasks, delays, done, until = [], list[float](), list[int](), time.monotonic() + seconds
        for _ in range(people // 2):
            host = (await http.post("/api/tables", json={"game": game, "name": "Host"})).json()["key"]
            async with websockets.connect(f"ws{url.removeprefix('http')}/ws/table", origin=url) as channel:
                await channel.send(json.dumps({"do": "open", "key": host}))
                guest = json.loads(await channel.recv())["invite"]
            table = Table()
            tasks += [
                asyncio.create_task(person(url, key, table, http, until, think, delays, done))
                for key in (host, guest)
            ]
        await asyncio.gather(*tasks)
    delays.sort()
    print(
        f"{people} people, {game}, {think} s a choice, load {os.getloadavg()[0]:.1f}: {len(delays)} boards; milliseconds from the second "
        f"choice to a board: median {1000 * statistics.median(delays):.0f}, 95 % {1000 * delays[int(0.95 * len(delays))]:.0f}, "
        f"most {1000 * delays[-1]:.0f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--think", type=float, default=4.0, help="seconds of a choice, the mean")
    parser.add_argument("--game", default="light_riders")
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        server = Server(
            "--kept", f"{folder}/played.db", "--people", str(given.people + 10), NUMBA_DISABLE_JIT="0"
        )
        try:
            asyncio.run(run(server.url, given.people, given.seconds, given.think, given.game))
        finally:
            server.end()


if __name__ == "__main__":
    main()

"""Work in threads: so much at a time, and no more than fits in the queue."""

import asyncio
import threading

import pytest

from saddlepoint.web.limits import Refused, Threads


def test_results_and_errors():
    async def main():
        threads = Threads("test", 2, 10)
        assert await asyncio.gather(*(threads.run(pow, number, 2) for number in range(10))) == [
            number**2 for number in range(10)
        ]
        with pytest.raises(ZeroDivisionError):
            await threads.run(divmod, 1, 0)
        assert await threads.run(len, "ab") == 2

    asyncio.run(main())


def test_so_much_at_a_time():
    async def main():
        threads, go, running, most = Threads("test", 2, 3), threading.Event(), [0], [0]
        both = threading.Semaphore(0)

        def work():
            running[0] += 1
            most[0] = max(most[0], running[0])
            both.release()
            go.wait(60)
            running[0] -= 1

        tasks = [asyncio.create_task(threads.run(work)) for _ in range(5)]
        await asyncio.sleep(0)
        with pytest.raises(Refused) as refused:
            await threads.run(work)
        assert refused.value.status == 503
        assert both.acquire(timeout=60) and both.acquire(timeout=60)
        go.set()
        await asyncio.gather(*tasks)
        assert most[0] == 2
        await threads.run(work)  # there is room again

    asyncio.run(main())


def test_who_has_gone_is_not_worked_for():
    async def main():
        threads, go, done = Threads("test", 1, 5), threading.Event(), []
        first = asyncio.create_task(threads.run(go.wait, 20))
        second = asyncio.create_task(threads.run(done.append, "second"))
        await asyncio.sleep(0)
        second.cancel()
        await asyncio.sleep(0)
        go.set()
        await first
        await threads.run(done.append, "third")
        assert done == ["third"]

    asyncio.run(main())


def test_closed_threads_end_with_what_they_do_and_take_nothing_more():
    async def main():
        threads, before = Threads("closed at last", 2, 3), threading.Event()
        waiting = asyncio.create_task(threads.run(before.wait, 60))
        await asyncio.sleep(0)
        threads.close()
        with pytest.raises(Refused):
            await threads.run(len, "ab")
        before.set()
        assert await waiting

    asyncio.run(main())
    for thread in threading.enumerate():
        if thread.name.startswith("closed at last"):
            thread.join(60)
            assert not thread.is_alive()

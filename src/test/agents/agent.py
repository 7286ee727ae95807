"""Takes, extends and releases locks with the Python SDK of MCP. Each call goes to the next replica. Then takes turns with other
agents to append to a file.
"""

import asyncio
import contextlib
import itertools
import pathlib
import sys

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

MODE, KEY, LOCK, FILE, *URLS = sys.argv[1:]


def append(file, text):
    with file.open("a") as end:
        end.write(text)


async def main():
    async with contextlib.AsyncExitStack() as stack:
        clients = []
        for url in URLS:
            http = await stack.enter_async_context(httpx2.AsyncClient(headers={"Authorization": f"Bearer {KEY}"}))
            transport = streamable_http_client(f"{url}/mcp", http_client=http)
            clients.append(await stack.enter_async_context(Client(transport, mode=MODE)))
        turns = itertools.cycle(clients)

        async def call(tool, **arguments):
            result = await next(turns).call_tool(tool, arguments)
            return result.is_error, result.structured_content, result.content[0].text

        tools = (await clients[0].list_tools()).tools
        names = [LOCK, LOCK + "/second"]
        failed, lease, text = await call("acquire", names=names, agent="Python", note="a test")
        assert not failed, text
        failed, _, text = await call("acquire", names=[LOCK], agent="Python", note="again")
        assert failed and 'is held by "Python: a test"' in text, text
        own = {"names": names, "token": lease["token"]}
        failed, extended, text = await call("extend", **own, ttlMinutes=40)
        assert not failed and extended["remainingSeconds"] > 2_000, text
        failed, seen, text = await call("check", names=[LOCK], ownNames=names, ownToken=lease["token"])
        assert not failed and seen["own"]["fencingToken"] >= lease["fencingToken"], text
        failed, _, text = await call("release", **own)
        assert not failed, text
        failed, _, text = await call("extend", **own)
        assert failed and "stop writing" in text, text
        file, left = pathlib.Path(FILE), 10
        while left > 0:
            names = ["agents/file", LOCK]
            failed, lease, text = await call("acquire", names=names, agent=LOCK, note="append", waitSeconds=5)
            if failed:
                assert "held" in lease, text
                continue
            append(file, f"begin {LOCK}\n")
            failed, _, text = await call("check", names=names, ownNames=names, ownToken=lease["token"])
            assert not failed, text
            append(file, f"end {LOCK}\n")
            left -= 1
            failed, _, text = await call("release", names=names, token=lease["token"])
            assert not failed, text
        print(clients[0].protocol_version, *(tool.name for tool in tools))


asyncio.run(main())

"""A process of its own that uses a sign-in whose token has ended: `FOLDER URL`.

Says `asking` before it asks, then the status it got and the token it was let in with.
"""

import asyncio
import sys
from pathlib import Path

import httpx2
from mcp_people import ADA, a_store

from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.oauth import auth_for


async def main(folder: str, url: str) -> None:
    store = a_store(Path(folder))
    config = MCPServerConfig(name="notes", transport="http", url=url)
    async with httpx2.AsyncClient(auth=auth_for(store)(ADA, config)) as http:
        sys.stdout.write("asking\n")
        sys.stdout.flush()
        response = await http.post(url, json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
    token = response.request.headers["Authorization"]
    sys.stdout.write(f"{response.status_code} {token}\n")


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))

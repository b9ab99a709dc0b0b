"""The texts of user messages: events have only ids, and the server lists the messages in order."""

from collections import OrderedDict

from dataagent_cli.remote.client import ServerClient
from dataagent_cli.remote.limits import MESSAGES_KEPT_MAX, MESSAGES_PAGE


class MessageTexts:
    """Reads the list as far as needed, and keeps the last texts."""

    def __init__(self, client: ServerClient) -> None:
        self._client = client
        self._read = 0
        self._texts: OrderedDict[str, str] = OrderedDict()

    async def content(self, session_id: str, message_id: str) -> str:
        """Return a message's text; empty if there is no such message."""
        while message_id not in self._texts:
            query = {"limit": MESSAGES_PAGE, "offset": self._read}
            page = await self._client.ask("GET", f"/sessions/{session_id}/messages", query=query)
            for message in page["messages"]:
                self._texts[str(message["message_id"])] = str(message["content"])
            self._read += len(page["messages"])
            while len(self._texts) > MESSAGES_KEPT_MAX:
                self._texts.popitem(last=False)
            if not page["has_more"]:
                break
        return self._texts.get(message_id, "")

"""uvicorn's HTTP protocol, with our form of an error for what is no HTTP at all.

Such bytes never become a request, so no middleware sees them.
"""

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from dataagent_server.errors import InvalidRequestError
from dataagent_server.middleware.error_body import answer_of


class JsonErrorsProtocol(HttpToolsProtocol):
    """Answers unreadable bytes in JSON and hangs up."""

    def send_400_response(self, msg: str) -> None:
        answer = answer_of(InvalidRequestError(f"{msg} Nothing was done."))
        head = (
            "HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\n"
            f"content-length: {len(answer.body)}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode("ascii") + answer.body)
        self.transport.close()

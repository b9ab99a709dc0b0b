"""Keep the beginning and the end of a stream of any length in bounded memory."""

from dataagent_core.sandbox.port import StreamOutput


class OutputBuffer:
    """Takes bytes without end; keeps at most `kept_bytes_max` of them."""

    def __init__(self, kept_bytes_max: int) -> None:
        self._head_max = kept_bytes_max // 2
        self._tail_max = kept_bytes_max - self._head_max
        self._head = bytearray()
        self._tail = bytearray()
        self.total_bytes = 0

    def add(self, data: bytes) -> None:
        """Take the next bytes."""
        self.total_bytes += len(data)
        room = self._head_max - len(self._head)
        self._head += data[:room]
        self._tail += data[room:] if room > 0 else data
        # Cut only when twice as long, so that many small writes stay cheap.
        if len(self._tail) > 2 * self._tail_max:
            del self._tail[: -self._tail_max]

    def output(self) -> StreamOutput:
        """Give what was kept."""
        tail = self._tail[-self._tail_max :] if self._tail_max else b""
        return StreamOutput(bytes(self._head), bytes(tail), self.total_bytes)

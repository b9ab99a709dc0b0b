"""Reading a body that may be endless or a bomb: unpacked as it comes, never beyond the limit."""

import zlib

from dataagent_core.errors import ToolExecutionError

ACCEPTED_ENCODINGS = "gzip, deflate"

_GZIP = zlib.MAX_WBITS | 16
_RAW = -zlib.MAX_WBITS


class BoundedBody:
    """Collects at most `limit_bytes`, both of what came and of what it unpacks to."""

    def __init__(self, encoding: str, limit_bytes: int) -> None:
        self._encoding = encoding.strip().lower()
        if self._encoding not in {"", "identity", "gzip", "x-gzip", "deflate"}:
            raise ToolExecutionError(
                f"The answer is packed as {encoding!r:.60}, which was not asked for and is not "
                f"read ({ACCEPTED_ENCODINGS} are)."
            )
        self._limit_bytes = limit_bytes
        self._came_bytes = 0
        self._unpacked = bytearray()
        self._unpacker: zlib._Decompress | None = None  # pyright: ignore[reportPrivateUsage]
        self.cut = False

    def feed(self, data: bytes) -> bool:
        """Take the next piece; False when there is no room for more."""
        self._came_bytes += len(data)
        if self._encoding in {"", "identity"}:
            self._keep(data)
        else:
            self._unpack(data)
        self.cut = self.cut or self._came_bytes > self._limit_bytes
        return not self.cut

    def content(self) -> bytes:
        """Give what was collected."""
        return bytes(self._unpacked)

    def _unpack(self, data: bytes) -> None:
        while data and not self.cut:
            if self._unpacker is None:
                self._unpacker = zlib.decompressobj(self._window(data))
            room = self._limit_bytes + 1 - len(self._unpacked)
            try:
                self._keep(self._unpacker.decompress(data, room))
            except zlib.error as error:
                raise ToolExecutionError(
                    f"The answer says it is {self._encoding} but cannot be unpacked: {error}."
                ) from error
            data = self._unpacker.unconsumed_tail
            if self._unpacker.eof:
                # gzip allows several members in a row.
                data, self._unpacker = self._unpacker.unused_data, None

    def _window(self, data: bytes) -> int:
        if self._encoding != "deflate":
            return _GZIP
        # Servers send "deflate" with and without zlib's header, whose low four bits are 8.
        return zlib.MAX_WBITS if data[0] & 0x0F == zlib.DEFLATED else _RAW

    def _keep(self, data: bytes) -> None:
        room = self._limit_bytes - len(self._unpacked)
        self._unpacked += data[:room]
        self.cut = self.cut or len(data) > room

"""Reads the rows of an embedding matrix from a `.safetensors` file that is mapped, not loaded.

The format is 8 bytes of length, that many bytes of JSON, then the numbers. Mapping costs no time
at start and no memory of its own: processes share the pages, and only rows in use are read.
"""

import json
import mmap
from pathlib import Path
from struct import Struct, unpack_from
from typing import Final

from dataagent_core.errors import ConfigurationError

_TENSOR: Final = "embedding.weight"
_HEADER_BYTES_MAX: Final = 1_000_000


class WeightFile:
    """A matrix of half-precision numbers, one row for each token."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        (header_bytes,) = unpack_from("<Q", self._bytes)
        if header_bytes > min(_HEADER_BYTES_MAX, len(self._bytes)):
            raise _broken(path)
        tensor = json.loads(self._bytes[8 : 8 + header_bytes]).get(_TENSOR, {})
        if tensor.get("dtype") != "F16":
            raise _broken(path)
        self.rows, self.columns = tensor["shape"]
        self._start = 8 + header_bytes + tensor["data_offsets"][0]
        self._row = Struct(f"<{self.columns}e")
        if self._start + self.rows * self._row.size > len(self._bytes):
            raise _broken(path)

    def read_row(self, number: int) -> tuple[float, ...]:
        """Read one row."""
        return self._row.unpack_from(self._bytes, self._start + number * self._row.size)


def _broken(path: Path) -> ConfigurationError:
    return ConfigurationError(f"{path} is not the weight file of wordllama: install it again.")

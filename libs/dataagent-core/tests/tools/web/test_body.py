"""Bodies are unpacked as they come and never beyond the limit."""

import gzip
import tracemalloc
import zlib
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.errors import ToolExecutionError
from dataagent_core.tools.web.http_exchange import BoundedBody

LIMIT = 1_000


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "identity": lambda data: data,
    "gzip": gzip.compress,
    "deflate": zlib.compress,
}


@given(
    st.binary(max_size=3 * LIMIT),
    st.sampled_from(sorted(PACKERS)),
    st.integers(min_value=1, max_value=500),
)
def test_what_comes_out_is_the_start_of_what_was_sent_and_a_cut_is_said(
    data: bytes, encoding: str, step: int
) -> None:
    packed = PACKERS[encoding](data)
    body = BoundedBody(encoding, LIMIT)
    for start in range(0, len(packed), step):
        if not body.feed(packed[start : start + step]):
            break
    assert data.startswith(body.content())
    assert len(body.content()) <= LIMIT
    if not body.cut:
        assert body.content() == data


def test_a_bomb_is_stopped_before_it_unpacks() -> None:
    bomb = gzip.compress(bytes(200_000_000), 9)
    body = BoundedBody("gzip", 1_000_000)
    tracemalloc.start()
    try:
        assert body.feed(bomb) is False
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert body.cut
    assert len(body.content()) == 1_000_000
    assert peak_bytes < 10_000_000


def test_deflate_without_its_header_and_gzip_in_several_members_are_read() -> None:
    body = BoundedBody("deflate", LIMIT)
    body.feed(raw_deflate(b"hello"))
    assert body.content() == b"hello"
    body = BoundedBody("gzip", LIMIT)
    body.feed(gzip.compress(b"hello ") + gzip.compress(b"world"))
    assert body.content() == b"hello world"


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "x" * 500])
def test_an_encoding_nobody_asked_for_is_refused(encoding: str) -> None:
    with pytest.raises(ToolExecutionError, match="packed as"):
        BoundedBody(encoding, LIMIT)


def test_a_body_that_lies_about_its_encoding_is_an_error() -> None:
    with pytest.raises(ToolExecutionError, match="cannot be unpacked"):
        BoundedBody("gzip", LIMIT).feed(b"not gzip at all")

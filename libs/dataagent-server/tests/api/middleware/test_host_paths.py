"""Folders of the server are not told; paths of a workspace are, as they were written."""

import sys
import tempfile
from pathlib import Path

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.errors import DataAgentError, NotFoundError, ValidationError
from dataagent_server.api.middleware.errors.error_body import make_error_answer
from dataagent_server.api.sse.frames import error_frame as stream_frame
from dataagent_server.common.host_paths import hide_host_paths
from dataagent_server.ws.chat_frames import error_frame as socket_frame

HOME = "/var/lib/dataagent"
HOST = [HOME, tempfile.gettempdir(), sys.prefix]

names = st.text(st.characters(categories=["L", "N"], include_characters="._-"), min_size=1)
# A name of dots alone leads elsewhere, and a message's full stop is not the path's.
parts = st.lists(names.filter(lambda n: n.strip(".") == n), min_size=1, max_size=4)


@given(
    folder=st.sampled_from(HOST),
    inside=parts,
    message=st.sampled_from(["{!r} is no bundle.", "cannot open {}: no such file", "no {!r}"]),
    kind=st.sampled_from([ValidationError, NotFoundError]),
)
def test_property_no_error_tells_a_folder_of_the_server(
    folder: str, inside: list[str], message: str, kind: type[DataAgentError]
) -> None:
    path = "/".join([folder, *inside])
    told = orjson.loads(make_error_answer(kind(message.format(path)), HOME).body)["message"]
    assert folder not in told
    assert inside[-1] in told
    if len(inside) > 1:
        assert path.rpartition("/")[0] not in told


@pytest.mark.parametrize(
    "text",
    [
        "There is no '/notes/a.txt'. Look with ls.",
        "see https://example.com/tmp/x and /src/tmp/y",
        f"/data{HOME} is a folder of yours",
        f"{HOME}-other/x stays",
    ],
)
def test_paths_of_a_workspace_and_addresses_stay(text: str) -> None:
    assert hide_host_paths(text, HOME) == text


@pytest.mark.parametrize("text", [f"sqlite:///{HOME}/dataagent.db", f"file://{HOME}/dataagent.db"])
def test_a_path_in_an_address_of_a_file_is_not_told_either(text: str) -> None:
    told = hide_host_paths(text, HOME)
    assert HOME not in told
    assert told.endswith("…/dataagent.db")


def test_a_folder_that_is_reached_by_a_link_is_not_told_by_its_own_name() -> None:
    real = Path("/dev/fd").resolve()
    assert str(real) != "/dev/fd"
    assert hide_host_paths(f"no {real}/a/b.txt", "/dev/fd") == "no …/b.txt"


def test_no_stream_and_no_socket_tells_where_the_server_keeps_its_files() -> None:
    error = ValidationError(f"'{HOME}/workspaces/1/a.txt' is no bundle.")
    for frame in (stream_frame(error, "s", HOME), socket_frame(error, 1.0, HOME)):
        assert HOME not in frame
        assert "a.txt" in frame

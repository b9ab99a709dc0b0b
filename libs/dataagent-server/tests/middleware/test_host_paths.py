"""Folders of the server are not told; paths of a workspace are, as they were written."""

import sys
import tempfile

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.errors import DataAgentError, NotFoundError, ValidationError
from dataagent_server.host_paths import hide_host_paths
from dataagent_server.middleware.error_body import answer_of

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
    told = orjson.loads(answer_of(kind(message.format(path)), HOME).body)["message"]
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

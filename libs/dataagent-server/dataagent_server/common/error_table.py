"""The table from an error's code to HTTP, WebSocket and exit codes.

Core's codes with core's mapping, and those only a server has. A wrong value is 422 everywhere:
unreadable JSON, a missing field, a field a service refuses; only for an override S2 says 400.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from dataagent_core.errors import CODES, CodeMapping

_POLICY_VIOLATION: Final = 1008
_TOO_BIG: Final = 1009

SERVER_CODES: Final[dict[str, CodeMapping]] = {
    "METHOD_NOT_ALLOWED": CodeMapping(405, _POLICY_VIOLATION, 1),
    "OVERRIDE_REFUSED": CodeMapping(400, _POLICY_VIOLATION, 1),
    "PAYLOAD_TOO_LARGE": CodeMapping(413, _TOO_BIG, 1),
    "UNSUPPORTED_MEDIA_TYPE": CodeMapping(415, _POLICY_VIOLATION, 1),
}

TABLE: Final[Mapping[str, CodeMapping]] = MappingProxyType({**CODES, **SERVER_CODES})

# These errors name files, addresses and drivers of this machine: operators read that in the log
# under the request id, clients read this text.
PUBLIC_MESSAGES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "INTERNAL": "Something went wrong on the server. Its log has the reason under this "
        "request id.",
        "CHECKPOINT_ERROR": "The database cannot be reached or refused the change. Try again; "
        "the server's log has the reason under this request id.",
        "DIRECTORY_ERROR": "A directory of the server cannot be used. Its log has the reason "
        "under this request id.",
        "CONFIGURATION_ERROR": "The server is not configured for this. Its log has the reason "
        "under this request id.",
    }
)


def mapping_of(code: str) -> CodeMapping:
    """Find a code; an unknown one is a defect and counts as INTERNAL."""
    return TABLE.get(code, TABLE["INTERNAL"])

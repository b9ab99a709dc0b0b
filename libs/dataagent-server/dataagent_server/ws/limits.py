"""Limits of one WebSocket."""

from typing import Final

from dataagent_server.limits import FRAME_BYTES_MAX

# A message above this is refused and the connection stays. Above `FRAME_BYTES_MAX` the protocol
# itself closes the connection (1009), because it would have to be held in memory to be refused.
MESSAGE_BYTES_MAX: Final = FRAME_BYTES_MAX // 2

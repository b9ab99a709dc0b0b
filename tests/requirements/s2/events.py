"""S2 §12: the event stream.

`text_start`, `text_end` and `buffer_overflow` are not sent: the log never overflows (PROTOCOL.md).
"""

from tests.requirements.entry import Requirement
from tests.requirements.s2.section import implemented

EVENTS: tuple[Requirement, ...] = (
    *implemented(
        {
            "12.1": "Each type of event has the document's data.",
            "12.2": "An event is type, data, timestamp, conversation_id, event_id.",
            "12.2-time": "The timestamp is ISO 8601.",
            "12.2-frame": "A frame is id, event and data.",
            "12.3-resume": "Who comes back with Last-Event-ID gets what was missed, then goes on live.",
            "12.3-buffer": "What the buffer no longer has comes from the log: no gap.",
        }
    ),
)

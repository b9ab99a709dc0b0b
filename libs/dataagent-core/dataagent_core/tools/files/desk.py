"""What every file tool works with: the folders the agent sees and the ledger of what it saw."""

from dataclasses import dataclass, field
from typing import Any

from dataagent_core.config.limits import FILE_BYTES_MAX
from dataagent_core.errors import NotFoundError, ValidationError
from dataagent_core.sandbox.safe_node import Version
from dataagent_core.tools.files.ledger import ReadLedger, Sighting
from dataagent_core.tools.files.mounts import Mounts, Place
from dataagent_core.tools.files.refused import RefusedEdits

# What a tool gives back: the text for the model or blocks of content, and what the ledger learned.
Answer = tuple[str | list[dict[str, Any]], Sighting | None]


@dataclass(frozen=True, slots=True)
class Content:
    """A file as it was just read."""

    data: bytes
    version: Version


@dataclass(frozen=True, slots=True)
class Desk:
    """Reads and changes files on behalf of the tools."""

    mounts: Mounts
    ledger: ReadLedger
    refused: RefusedEdits = field(default_factory=RefusedEdits)

    def current(self, place: Place) -> Content | None:
        """Read what a file holds now, `None` if there is none."""
        try:
            data, node = place.root.read_version(place.path)
        except NotFoundError:
            return None
        return Content(data, node.version)

    def seen(self, place: Place) -> Content:
        """Read a file that is to be changed; it must be there and be what the agent saw."""
        content = self.current(place)
        if content is None:
            raise NotFoundError(f"There is no {place.shown!r}. Use write_file to make it.")
        self.ledger.check(place.shown, content.data)
        return content

    def put(self, place: Place, data: bytes, before: Content | None) -> Sighting:
        """Write a whole file, unless it is no longer what it was `before`."""
        if len(data) > FILE_BYTES_MAX:
            raise ValidationError(
                f"{place.shown!r} would have {len(data)} bytes, more than the {FILE_BYTES_MAX} a "
                "file tool writes. Write it in parts, or with a program."
            )
        expected = before.version if before else "absent"
        place.root.write_atomic(place.path, data, expected=expected)
        return self.ledger.saw(place.shown, data)

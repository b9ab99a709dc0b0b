"""Makes the memory that is stored if nothing is known of it. Pure."""

from datetime import datetime

from dataagent_core.errors import ValidationError
from dataagent_core.ids import new_id
from dataagent_core.memory.changes.moments import read_validity
from dataagent_core.memory.changes.statement import read_statement
from dataagent_core.memory.hygiene.check_memory import CheckedMemory
from dataagent_core.memory.memory import Memory


def make_memory(checked: CheckedMemory, now: datetime) -> Memory:
    """Return a memory that passed the rules, with what its text says of its time and subject."""
    content, metadata = checked.content, checked.metadata
    if not 0 <= metadata.confidence <= 1:
        raise ValidationError(
            f"The confidence {metadata.confidence} of a memory is not from 0 to 1."
        )
    said_at = metadata.valid_from or now
    validity = read_validity(content, said_at)
    subject = "" if checked.is_tainted else find_subject(content)
    return Memory(
        id=new_id(),
        scope=metadata.scope,
        type=metadata.type,
        content=content,
        source=metadata.source,
        confidence=metadata.confidence,
        valid_from=validity.valid_from or said_at,
        valid_to=validity.valid_to,
        recorded_at=now,
        updated_at=now,
        expires_at=metadata.expires_at,
        subject=subject if metadata.subject is None else metadata.subject,
        episode_id=metadata.episode_id,
        is_tainted=checked.is_tainted,
        extra=metadata.extra,
    )


def find_subject(content: str) -> str:
    """Return what a text says something about, if that can be read."""
    statement = read_statement(content)
    return statement.subject if statement else ""

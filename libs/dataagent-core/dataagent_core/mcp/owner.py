"""Whose connections: no server process, token or tool listing is shared between two owners."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Owner:
    """A person in a tenant."""

    tenant_id: str
    user_id: str

"""The owner of connections: two owners share no server process, token or tool listing."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Owner:
    """A person in a tenant."""

    tenant_id: str
    user_id: str

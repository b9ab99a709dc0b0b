"""Who is asking, and what they may do.

`Authenticator` turns what a request brought into a `Principal`; `may` decides. Making and changing
users, members and keys is done by the feature folders above, which also put it on record.
"""

from dataagent_server.identity.auth.may import Action, Resource, may, require
from dataagent_server.identity.auth.principal import Principal, Role, Scope

__all__ = ["Action", "Principal", "Resource", "Role", "Scope", "may", "require"]

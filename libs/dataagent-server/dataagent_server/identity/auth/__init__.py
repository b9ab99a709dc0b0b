"""Authentication and authorization.

`Authenticator` turns the credentials of a request into a `Principal`; `may` decides. The feature
folders above create and change users, members and keys, with audit.
"""

from dataagent_server.identity.auth.may import Action, Kind, Resource, may, require
from dataagent_server.identity.auth.principal import Principal, Role, Scope

__all__ = ["Action", "Kind", "Principal", "Resource", "Role", "Scope", "may", "require"]

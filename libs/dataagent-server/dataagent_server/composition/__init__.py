"""The composition root: the one place where the server's parts are put together.

services.py   what is handed out: `Services`, by area
root.py       opens every service in order and closes them in reverse
identity_services.py     the part of it about people, and the database
runs.py       the part of it about runs: stores, hub, runner, upkeep
chores.py     what is done periodically
readiness.py  whether what the server depends on answers

Feature folders export services and never open each other. Tests open the same with other `Edges`.
"""

from dataagent_server.composition.identity_services import open_current_database, open_people
from dataagent_server.composition.root import make_redis, open_services
from dataagent_server.composition.services import Edges, PeopleServices, Services

__all__ = [
    "Edges",
    "PeopleServices",
    "Services",
    "make_redis",
    "open_current_database",
    "open_people",
    "open_services",
]

"""The composition root: the one place where the server's parts are put together.

services.py           `Services`, by area
root.py               opens every service in order and closes them in reverse
identity_services.py  opens the database and the services about users
runs.py               opens what runs need: stores, hub, runner, upkeep
chores.py             periodic work
readiness.py          checks of what the server depends on

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

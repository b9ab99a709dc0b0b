"""Asking data on the server: one person's desk over the tenant's sources and their own results.

services.py  what routes and runs use: engines, the drawing program, the services
"""

from dataagent_server.data.services import Asking, DataServices

__all__ = ["Asking", "DataServices"]

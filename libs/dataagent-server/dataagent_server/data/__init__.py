"""Asking data on the server: one person's desk over the tenant's sources and their own results.

house.py     what all desks share, opened once: engines, the drawing program, the services
"""

from dataagent_server.data.house import Asking, DataHouse, open_data

__all__ = ["Asking", "DataHouse", "open_data"]

"""Taking over the MCP servers a person has in another product.

Start at `taking.py`; each product's habits are in a file of its own.
"""

from dataagent_core.mcp.importing.found import Imported
from dataagent_core.mcp.importing.places import PRODUCTS, Product, places_of
from dataagent_core.mcp.importing.taking import imported_from, read_foreign

__all__ = ["PRODUCTS", "Imported", "Product", "imported_from", "places_of", "read_foreign"]

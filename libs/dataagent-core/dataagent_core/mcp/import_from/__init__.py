"""Imports the MCP servers a person has in another product.

Start at `import_servers.py`; `foreign_servers.py` reads the form of each product.
"""

from dataagent_core.mcp.import_from.foreign_servers import ImportedServer
from dataagent_core.mcp.import_from.import_servers import (
    PRODUCTS,
    Product,
    import_from_text,
    places_of,
    read_foreign,
)

__all__ = ["PRODUCTS", "ImportedServer", "Product", "import_from_text", "places_of", "read_foreign"]

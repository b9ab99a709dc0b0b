"""Taking over the MCP servers a person has in another product.

Start at `import_servers.py`; each product's habits are in a file of its own.
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

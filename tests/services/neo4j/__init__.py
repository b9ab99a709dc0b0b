"""Neo4j 5 Community from Maven Central: `get_jars.py` fetches it, `service.py` runs it."""

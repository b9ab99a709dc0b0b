"""The real services that tests run against, started by the tests themselves.

PostgreSQL and Redis come as wheels, MariaDB from Debian (`get_mariadb.sh`, a part of `make`),
Neo4j from Maven Central (`neo4j/get_jars.py`, a part of `make test-slow`).
Each runs in a directory of its own, on a free loopback port, for one pytest session; it dies with
pytest, whatever ends pytest. `fixtures.py` is the pytest plugin.
"""

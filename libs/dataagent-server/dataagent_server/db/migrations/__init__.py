"""Alembic's scripts, shipped inside the package; `db/migrate.py` runs them."""

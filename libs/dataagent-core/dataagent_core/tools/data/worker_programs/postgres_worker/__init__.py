"""The parts of the PostgreSQL worker."""

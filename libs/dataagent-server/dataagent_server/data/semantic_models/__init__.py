"""A project's metrics, dimensions and verified questions, stored as the YAML a user wrote."""

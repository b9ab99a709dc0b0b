"""A project's metrics, dimensions and verified questions, kept as the YAML somebody wrote."""

"""The common parts of the workers of database servers."""

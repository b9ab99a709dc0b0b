"""A tenant's own keys and addresses of model providers, encrypted."""

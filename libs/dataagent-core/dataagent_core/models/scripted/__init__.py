"""A chat model that plays a script: for tests, for the demo, behind the HTTP endpoint."""

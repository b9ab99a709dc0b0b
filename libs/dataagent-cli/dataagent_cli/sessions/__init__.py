"""Looking at what is stored of a session, and removing it."""

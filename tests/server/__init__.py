"""What tests of the server share: the application in this process, and the real one beside it."""

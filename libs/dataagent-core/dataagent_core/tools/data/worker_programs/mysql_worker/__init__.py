"""The parts of the MySQL worker."""

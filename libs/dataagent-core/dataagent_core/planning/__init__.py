"""Plans: how complex a message is, and the work plan of one that is."""

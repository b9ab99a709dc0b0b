"""The two pages a server has before the console: one file each, nothing from elsewhere."""

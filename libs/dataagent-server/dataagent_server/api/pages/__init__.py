"""The pages a server has beside the console: one file each, nothing from elsewhere."""

"""What rules deny of files and skills, beyond the calls that name them."""

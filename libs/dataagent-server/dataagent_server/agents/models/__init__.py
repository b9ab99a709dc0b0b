"""Which models a tenant can use, what is known of them, and whether they answer."""

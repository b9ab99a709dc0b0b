"""The models a tenant can use, their figures, and a test whether they answer."""

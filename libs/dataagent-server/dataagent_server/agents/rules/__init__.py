"""Stored permission rules of users: their "always" answers, and rules written by hand."""

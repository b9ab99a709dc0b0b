"""Requests and answers about sessions and what goes on in them."""

"""Requests and answers about people and what they hold."""

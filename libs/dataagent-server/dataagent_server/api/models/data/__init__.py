"""Requests and answers about data and reports."""

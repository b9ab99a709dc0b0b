"""Checks chart specifications from outside."""

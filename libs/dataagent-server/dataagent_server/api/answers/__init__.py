"""Answers that are not JSON: files, bytes made for a request, what is shown in the console."""

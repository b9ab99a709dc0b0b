"""Sandboxes on a vendor's machine: modal, daytona, runloop."""

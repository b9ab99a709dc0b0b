"""Limits of budgets."""

from typing import Final

BUDGETS_PER_TENANT_MAX: Final = 10_000

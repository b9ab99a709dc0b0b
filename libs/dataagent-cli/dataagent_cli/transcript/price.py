"""Writes a price for a person. Pure."""

from dataagent_cli.output.sanitize import one_line

_CENTS_FROM = 0.1


def format_cost(cost: float, currency: str) -> str:
    """Write a price with as many digits as needed."""
    amount = f"{cost:.2f}" if cost >= _CENTS_FROM or cost == 0 else f"{cost:.4f}"
    return f"${amount}" if currency == "USD" else f"{amount} {one_line(currency)[:8]}"

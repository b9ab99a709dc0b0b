"""Figures computed from others: ratios, differences, sums."""

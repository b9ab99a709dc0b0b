"""The values of a chart: which columns, how aggregated."""

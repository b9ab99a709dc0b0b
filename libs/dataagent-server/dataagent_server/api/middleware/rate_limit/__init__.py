"""How often a caller may ask: the middleware and its token buckets."""

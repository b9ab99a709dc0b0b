"""Rate limits per caller: the middleware and its token buckets."""

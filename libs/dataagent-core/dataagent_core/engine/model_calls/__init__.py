"""A model call: attempts, retries, fallback, repair of the answer, budgets."""

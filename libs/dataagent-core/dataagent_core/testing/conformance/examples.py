"""How the property tests of the suites run, whatever the profile of the project that runs them."""

from hypothesis import HealthCheck, settings

# One inherited test runs for several adapters (`differing_executors`), and its examples share one
# store, which is why each example uses ids of its own.
a_hundred = settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=[
        HealthCheck.differing_executors,
        HealthCheck.function_scoped_fixture,
        HealthCheck.too_slow,
    ],
)

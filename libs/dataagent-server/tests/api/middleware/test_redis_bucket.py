"""Two processes that share a Redis hold a caller to one rate; without Redis requests pass."""

from redis.asyncio import Redis

from dataagent_server.api.middleware.rate_limit.redis_bucket import RedisBuckets
from dataagent_server.api.middleware.rate_limit.redis_known_callers import RedisKnownCallers


async def test_two_limiters_share_one_bucket(redis_url: str):
    async with Redis.from_url(redis_url) as first, Redis.from_url(redis_url) as second:
        ours = [RedisBuckets(redis, "test", per_s=0.01, burst=4) for redis in (first, second)]
        waits = [await ours[n % 2].take("caller") for n in range(6)]
        assert [wait == 0 for wait in waits] == [True] * 4 + [False] * 2
        assert await ours[0].wait_s("caller") > 0
        assert await ours[0].wait_s("someone else") == 0


async def test_a_bucket_is_forgotten_once_it_is_full_again(redis_url: str):
    async with Redis.from_url(redis_url) as redis:
        await RedisBuckets(redis, "test", per_s=10, burst=4).take("caller")
        assert 0 < await redis.pttl("test:caller") <= 2_000


async def test_a_redis_that_is_away_lets_requests_pass():
    async with Redis.from_url("redis://127.0.0.1:9", socket_connect_timeout=1) as redis:
        assert await RedisBuckets(redis, "test", per_s=1, burst=1).take("caller") == 0


async def test_whoever_one_process_knows_all_of_them_know(redis_url: str):
    async with Redis.from_url(redis_url) as first, Redis.from_url(redis_url) as second:
        here, there = [RedisKnownCallers(redis, "known") for redis in (first, second)]
        await here.remember("credential:a")
        assert await there.knows("credential:a")
        await there.forget("credential:a")
        assert not await RedisKnownCallers(first, "known").knows("credential:a")


async def test_while_redis_is_away_nobody_new_is_known():
    async with Redis.from_url("redis://127.0.0.1:9", socket_connect_timeout=1) as redis:
        known = RedisKnownCallers(redis, "known")
        await known.remember("credential:a")
        await known.forget("credential:a")
        assert not await known.knows("credential:a")

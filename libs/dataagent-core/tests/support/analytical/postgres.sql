SELECT dept, name, salary, percent_rank() OVER w, round((salary / sum(salary) OVER (PARTITION BY dept))::numeric, 4) AS share FROM employees WINDOW w AS (PARTITION BY dept ORDER BY salary) ORDER BY dept, id

SELECT sensor, day, value, avg(value) OVER (PARTITION BY sensor ORDER BY day RANGE BETWEEN '3 days' PRECEDING AND CURRENT ROW) AS smooth FROM readings ORDER BY sensor, day

SELECT DISTINCT ON (dept) dept, name, salary FROM employees ORDER BY dept, salary DESC

SELECT dept, extract(year FROM hired) AS y, GROUPING(dept, extract(year FROM hired)) AS g, sum(salary) FROM employees GROUP BY GROUPING SETS ((1, 2), (1), ()) ORDER BY 1 NULLS LAST, 2 NULLS LAST

SELECT o_orderstatus, o_orderpriority, count(*) FROM orders GROUP BY ROLLUP (o_orderstatus, o_orderpriority) ORDER BY 1, 2

SELECT e.name, o.* FROM employees e CROSS JOIN LATERAL (SELECT o_orderkey, o_totalprice FROM orders WHERE o_custkey = e.id ORDER BY o_totalprice DESC FETCH FIRST 2 ROWS ONLY) o ORDER BY e.id, o_totalprice DESC

WITH RECURSIVE chain AS (
  SELECT id, name, 0 AS depth, ARRAY[name]::text[] AS path FROM employees WHERE manager_id IS NULL
  UNION ALL
  SELECT e.id, e.name, c.depth + 1, c.path || e.name FROM employees e JOIN chain c ON c.id = e.manager_id
) SEARCH DEPTH FIRST BY id SET ordering
SELECT depth, array_to_string(path, ' > ') AS path FROM chain ORDER BY ordering

SELECT d::date AS day, coalesce(sum(r.value), 0) AS total FROM generate_series('2024-03-01'::date, '2024-03-31', interval '1 day') AS d LEFT JOIN readings r ON r.day = d GROUP BY d ORDER BY d

SELECT date_trunc('month', seen_at) AS month, to_char(seen_at, 'YYYY"W"IW') AS week, count(*) FILTER (WHERE kind = 'buy') AS buys FROM events GROUP BY 1, 2 ORDER BY 1, 2

SELECT hired + interval '1 year 2 months' AS later, age(date '2024-03-01', hired) AS age, extract(epoch FROM hired)::bigint AS epoch, hired - date '2015-01-01' AS days, make_interval(days => id) AS i, (hired, interval '1 year') OVERLAPS (date '2020-01-01', date '2020-12-31') AS o FROM employees ORDER BY id

SELECT id, payload ->> 'page' AS page, (payload ->> 'amount')::numeric AS amount, payload #>> '{items,0}' AS first, payload @> '{"ok": true}' AS ok, payload ? 'page' AS has, payload - 'items' AS rest FROM events ORDER BY id

SELECT e.id, i.value::int AS item, i.ordinality FROM events e CROSS JOIN LATERAL jsonb_array_elements_text(e.payload -> 'items') WITH ORDINALITY AS i(value, ordinality) ORDER BY 1, 3

SELECT jsonb_path_query_array(payload, '$.items[*] ? (@ > 0)') AS positive, jsonb_path_exists(payload, '$.ok ? (@ == true)') AS ok, jsonb_typeof(payload -> 'items') AS t FROM events ORDER BY id

SELECT kind, jsonb_agg(id ORDER BY id DESC) AS ids, jsonb_object_agg(id, user_id) AS users, json_build_object('n', count(*), 'kind', kind) AS o FROM events WHERE id < 9 GROUP BY kind ORDER BY kind

SELECT id, tag, n FROM events, unnest(tags) WITH ORDINALITY AS t(tag, n) ORDER BY id, n

SELECT id, tags[1] AS a, tags[1:2] AS b, cardinality(tags) AS n, 't1' = ANY (tags) AS has, tags && ARRAY['t2'] AS over, array_position(tags, 't1') AS at, array_agg(id) OVER (ORDER BY id ROWS 1 PRECEDING) AS ids FROM events ORDER BY id

SELECT string_agg(DISTINCT dept, ' / ' ORDER BY dept) AS depts, array_agg(name ORDER BY salary DESC) AS names, mode() WITHIN GROUP (ORDER BY dept) AS m, percentile_cont(ARRAY[0.25, 0.75]) WITHIN GROUP (ORDER BY salary) AS q FROM employees

SELECT name, regexp_replace(name, '(\w+) (\d+)', '\2-\1') AS turned, (regexp_match(name, '\d+'))[1] AS digits, name ~* '^person 1' AS one, name !~ '9$' AS nine, substring(name from '\d+') AS s, regexp_count(name, '[aeiou]') AS vowels FROM employees ORDER BY id

SELECT "地区", sum("Net Amount") AS "总 额", max("Größe") AS größte FROM "Sales 2024" GROUP BY "地区" ORDER BY "总 额" DESC

SELECT s."select", S."Order No" /* quoted, like the column */ FROM "Sales 2024" s -- the end

SELECT CASE WHEN salary >= 7000 THEN 'high' WHEN salary >= 4000 THEN 'middle' ELSE 'low' END AS band, count(*), width_bucket(avg(salary), 0, 10000, 5) FROM employees GROUP BY band ORDER BY 2 DESC, 1

SELECT CAST(salary AS integer), salary::text, id::float8, '2024-01-01'::timestamptz AT TIME ZONE 'Asia/Shanghai' AS there, '1,2'::text, '[1,5)'::int4range @> 3 AS inside, 'infinity'::date::text AS never, B'101'::int AS five, TRUE::int AS one FROM employees ORDER BY id LIMIT 3

SELECT to_char(sum(o_totalprice), 'FM999,999,990.00') AS pretty, format('%s of %s', count(*), max(o_orderkey)) AS said, lpad(count(*)::text, 6, '0') AS padded, concat_ws('-', 'a', NULL, 'b') AS joined, $$it's$$ AS dollar, E'a\tb' AS tab FROM orders

SELECT * FROM (VALUES (1, 'one'), (2, 'two')) AS v(n, word) FULL JOIN (SELECT id, name FROM employees WHERE id < 4) e ON e.id = v.n ORDER BY coalesce(v.n, e.id)

SELECT count(*) FROM orders TABLESAMPLE BERNOULLI (100) REPEATABLE (3)

SELECT * FROM ROWS FROM (generate_series(1, 3), generate_series(5, 6)) AS t(a, b)

SELECT corr(id, salary), regr_slope(salary, id), stddev_samp(salary), var_pop(salary), covar_pop(id, salary), bool_and(salary > 0), every(id > 0), bit_or(id) FROM employees

SELECT n_name FROM nation WHERE n_regionkey = ANY (SELECT r_regionkey FROM region WHERE r_name LIKE 'A%') INTERSECT SELECT n_name FROM nation WHERE n_name ~ 'AN' ORDER BY 1

SELECT to_tsvector('english', 'the quick brown foxes') @@ to_tsquery('english', 'fox & quick') AS found, ts_rank(to_tsvector('english', 'a fox'), plainto_tsquery('english', 'fox')) > 0 AS ranked

SELECT a.id, b.id AS other FROM employees a JOIN employees b ON b.dept IS NOT DISTINCT FROM a.dept AND b.id > a.id WHERE a.salary BETWEEN SYMMETRIC 9000 AND 2000 ORDER BY 1, 2 LIMIT 10 OFFSET 3

EXPLAIN (COSTS OFF) SELECT * FROM orders

SELECT U&'\0041' AS uni

-- a running share of each department
SELECT dept, name, salary,
       salary / SUM(salary) OVER (PARTITION BY dept) AS share,
       PERCENT_RANK() OVER w AS pr, CUME_DIST() OVER w AS cd, NTILE(4) OVER w AS quarter
FROM employees
WINDOW w AS (PARTITION BY dept ORDER BY salary, id)
ORDER BY dept, id

SELECT *, ROW_NUMBER() OVER (PARTITION BY sensor ORDER BY value DESC NULLS LAST, day) AS n FROM readings QUALIFY n <= 3 ORDER BY sensor, n

SELECT dept, SUM(salary) AS total FROM employees GROUP BY dept QUALIFY RANK() OVER (ORDER BY total DESC) = 1

PIVOT orders ON o_orderstatus USING SUM(o_totalprice)

PIVOT (SELECT dept, year(hired) AS y, salary FROM employees) ON y IN (2015, 2016, 2017) USING avg(salary) AS mean, count(*) AS n GROUP BY dept ORDER BY dept

SELECT * FROM (PIVOT readings ON sensor USING round(avg(value), 2) GROUP BY day) AS p ORDER BY day DESC LIMIT 4

WITH wide AS (PIVOT readings ON sensor USING max(value) GROUP BY day) UNPIVOT wide ON a, b, c INTO NAME sensor VALUE v

UNPIVOT (SELECT day, sensor, value, value * 2 AS twice FROM readings) ON COLUMNS(* EXCLUDE (day, sensor)) INTO NAME measure VALUE v ORDER BY ALL LIMIT 10

FROM readings UNPIVOT INCLUDE NULLS (v FOR what IN (value)) WHERE sensor = 'a' ORDER BY day

SELECT list_transform(tags, lambda t: upper(t) || '!') AS loud, list_filter(tags, lambda t, i: i > 1) AS tail FROM events ORDER BY id

SELECT id, list_reduce(list_transform(tags, x -> length(x)), (a, b) -> a + b) AS letters FROM events WHERE len(tags) > 0 ORDER BY id

SELECT list_zip([1, 2, 3], ['a', 'b', 'c']) AS z, list_sort([3, 1, NULL, 2], 'DESC', 'NULLS LAST') AS s, [x + y for x, y in [1, 2]] AS c

SELECT person, person.pay.net AS net, person['name'] AS n FROM (SELECT id, {'name':name, 'pay':{'gross':salary, 'net':round(salary * 0.7, 2)}} AS person FROM employees) ORDER BY id

SELECT MAP {'a': 1, 'b': 2} AS m, m['a'] AS a, map_entries(m) AS e, element_at(m, 'b') AS b, cardinality(m) AS n, map_from_entries([('k', 1), ('l', 2)]) AS f

SELECT struct_insert(item, extra := 1) AS wider, item.sku AS code, item.price * qty AS worth, unnest(item) FROM nested ORDER BY qty

SELECT sku, count(*) AS n FROM (SELECT unnest(parts).sku AS sku FROM nested) GROUP BY ALL ORDER BY ALL

SELECT qty, unnest(parts, recursive := true) FROM nested ORDER BY ALL

SELECT props['colour'] AS colour, map_keys(props) AS ks, list_contains(map_values(props), 'M') AS has_m FROM nested ORDER BY qty

SELECT t.symbol, t.seen, t.qty * p.price AS value FROM trades t ASOF JOIN prices p ON t.symbol = p.symbol AND t.seen >= p.seen ORDER BY t.seen, t.symbol

SELECT t.symbol, t.seen, p.price FROM trades t ASOF LEFT JOIN prices p USING (symbol, seen) ORDER BY ALL

SELECT time_bucket(INTERVAL '15 minutes', seen) AS slot, symbol, sum(qty) AS qty, first(qty ORDER BY seen) AS opening, last(qty ORDER BY seen) AS closing FROM trades GROUP BY ALL ORDER BY ALL

SELECT payload->>'$.page' AS page, avg(CAST(payload->>'amount' AS DOUBLE)) AS mean, list(id ORDER BY id)::JSON AS ids FROM events GROUP BY page ORDER BY page

SELECT e.id, j.key, j.value, j.type FROM events e, json_each(e.payload) j WHERE e.id <= 3 ORDER BY e.id, j.key

SELECT json_extract(payload, ['$.page', '$.ok']) AS two, json_extract_string(payload, '$.items[0]') AS first_item, payload->'$.items[#-1]' AS last_item, json_keys(payload) AS ks FROM events ORDER BY id LIMIT 5

WITH RECURSIVE chain(id, name, depth, path) AS (
    SELECT id, name, 0, [name] FROM employees WHERE manager_id IS NULL
    UNION ALL
    SELECT e.id, e.name, c.depth + 1, list_append(c.path, e.name)
    FROM employees AS e JOIN chain AS c ON e.manager_id = c.id
)
SELECT depth, count(*) AS people, max(array_to_string(path, ' > ')) AS longest FROM chain GROUP BY depth ORDER BY depth

WITH RECURSIVE g(n, a) USING KEY (n) AS (SELECT 1, 1 UNION SELECT n, a + 1 FROM g WHERE a < 5) SELECT * FROM g

SELECT e.name, o.* FROM employees e LEFT JOIN LATERAL (SELECT o_orderkey, o_totalprice FROM orders WHERE o_custkey = e.id ORDER BY o_totalprice DESC LIMIT 2) o ON true ORDER BY e.id, o.o_orderkey

SELECT dept, date_part('year', hired) AS y, GROUPING(dept) AS gd, GROUPING_ID(dept, y) AS g, sum(salary) AS s FROM employees GROUP BY GROUPING SETS ((dept, y), (dept), ()) ORDER BY ALL

SELECT regexp_extract(email, '^(?P<who>[^@]+)@(.+)$', ['who', 'domain']) AS parts, regexp_matches(name, '(?i)PERSON\s\d{2}') AS two_digits, regexp_replace(name, '(\w+) (\d+)', '\2-\1') AS turned FROM employees ORDER BY id

SELECT name FROM employees WHERE name SIMILAR TO '.*[13579]' AND regexp_full_match(email, 'p\d+@example\.com') ORDER BY name

SELECT date_trunc('quarter', o_orderdate) AS q, strftime(o_orderdate, '%G-W%V') AS week, count(*) AS n FROM orders GROUP BY 1, 2 HAVING n > 1 ORDER BY 1, 2

SELECT hired, hired + INTERVAL 1 YEAR + INTERVAL '2 months 3 days' AS later, hired - to_days(id) AS earlier, DATE '2024-02-29' - INTERVAL 1 YEAR AS leap, age(TIMESTAMP '2024-03-01', hired::TIMESTAMP) AS age FROM employees ORDER BY id

SELECT datediff('week', min(o_orderdate), max(o_orderdate)) AS weeks, date_sub('month', DATE '2024-01-31', DATE '2024-02-29') AS months, last_day(DATE '2024-02-01') AS ultimo, '2024-01-01'::TIMESTAMPTZ AT TIME ZONE 'Asia/Shanghai' AS there FROM orders

SELECT d.day, coalesce(sum(r.value), 0) AS total FROM generate_series(DATE '2024-03-01', DATE '2024-03-31', INTERVAL 1 DAY) AS d(day) LEFT JOIN readings r ON r.day = d.day GROUP BY d.day ORDER BY d.day

SELECT range AS n, range % 3 = 0 AS fizz FROM range(1, 16)

FROM orders SELECT o_orderpriority AS p, count() AS n, sum(o_totalprice) FILTER (WHERE o_orderstatus = 'F') AS done GROUP BY p ORDER BY p

FROM 'Sales 2024' SELECT "Net Amount", 地区

SELECT 地区, SUM("Net Amount") AS "总 额", MAX("Größe") AS größte FROM "Sales 2024" GROUP BY 地区 ORDER BY "总 额" DESC

SELECT count(*) FROM (SELECT * FROM lineitem USING SAMPLE 100% (bernoulli))

SELECT count(*) AS n FROM orders TABLESAMPLE 100 PERCENT

SELECT string_agg(DISTINCT dept, ' / ' ORDER BY dept DESC) AS depts, listagg(name, ',' ORDER BY id) AS names FROM employees

SELECT CASE o_orderstatus WHEN 'F' THEN 'finished' WHEN 'O' THEN 'open' ELSE 'partly' END AS state, CASE WHEN sum(o_totalprice) > 1e7 THEN 'big' END AS size, count(*) FROM orders GROUP BY ALL ORDER BY state

SELECT TRY_CAST(c_phone AS INT) AS none, c_acctbal::INT AS whole, CAST(c_acctbal AS VARCHAR(20)) AS text, c_custkey::UTINYINT AS tiny, 12.5::DECIMAL(4,1) AS d, '1 day'::INTERVAL AS i, 'true'::BOOL AS b FROM customer ORDER BY c_custkey LIMIT 4

SELECT mode() WITHIN GROUP (ORDER BY dept) AS m, percentile_cont(0.9) WITHIN GROUP (ORDER BY salary) AS p90, quantile_disc(salary, [0.1, 0.5]) AS q, corr(id, salary) AS r, regr_slope(salary, id) AS slope FROM employees

SELECT COLUMNS('^(l_quantity|l_tax)$') * 2, COLUMNS(c -> c LIKE '%date') FROM lineitem ORDER BY l_orderkey, l_linenumber LIMIT 3

SELECT * EXCLUDE (r_comment) REPLACE (lower(r_name) AS r_name) FROM region WHERE r_name = ANY (['ASIA', 'EUROPE']) ORDER BY ALL

(SELECT r_name AS name FROM region ORDER BY 1 LIMIT 2) UNION ALL BY NAME (SELECT n_name AS name, n_nationkey AS k FROM nation ORDER BY k LIMIT 2) ORDER BY name

SELECT sensor, value, avg(value) OVER (PARTITION BY sensor ORDER BY day RANGE BETWEEN INTERVAL 3 DAYS PRECEDING AND CURRENT ROW EXCLUDE TIES) AS smooth, lag(value, 2 IGNORE NULLS) OVER (PARTITION BY sensor ORDER BY day) AS before FROM readings ORDER BY sensor, day

SELECT o_orderkey FROM orders WHERE o_custkey IN (FROM customer SELECT c_custkey WHERE c_acctbal > 0) AND EXISTS (FROM lineitem WHERE l_orderkey = o_orderkey AND l_quantity > 40) ORDER BY 1

SELECT format('{:,.2f}', sum(o_totalprice)) AS pretty, printf('%05d', count(*)) AS padded, bar(count(*), 0, 200, 10) AS chart, hash(1) = hash(1) AS same, 'a' || NULL AS nothing, concat_ws('-', 'a', NULL, 'b') AS joined FROM orders

EXPLAIN SELECT * FROM orders

SUMMARIZE orders

DESCRIBE SELECT * FROM orders

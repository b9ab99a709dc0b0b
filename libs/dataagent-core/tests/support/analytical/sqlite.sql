SELECT name, salary, percent_rank() OVER (ORDER BY salary) AS pr, cume_dist() OVER (ORDER BY salary) AS cd, ntile(4) OVER (ORDER BY salary) AS q FROM employees ORDER BY id

SELECT sensor, day, value, sum(value) OVER (PARTITION BY sensor ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS running FROM readings ORDER BY sensor, day

SELECT day, sensor, avg(value) FILTER (WHERE value > 15) OVER w AS high, group_concat(sensor, '') OVER w AS seen FROM readings WINDOW w AS (ORDER BY day, sensor GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE NO OTHERS) ORDER BY day, sensor

SELECT name, first_value(name) OVER w AS best, nth_value(name, 2) OVER w AS second, lead(salary, 1, 0) OVER w AS next_one FROM employees WINDOW w AS (PARTITION BY dept ORDER BY salary DESC) ORDER BY id

/* who reports to whom */
WITH RECURSIVE chain(id, name, depth, path) AS (
  SELECT id, name, 0, name FROM employees WHERE manager_id IS NULL
  UNION ALL
  SELECT e.id, e.name, chain.depth + 1, chain.path || ' > ' || e.name
  FROM employees e JOIN chain ON e.manager_id = chain.id -- one level down
)
SELECT * FROM chain ORDER BY path

WITH RECURSIVE days(day) AS (VALUES ('2024-03-01') UNION ALL SELECT date(day, '+1 day') FROM days WHERE day < '2024-03-31') SELECT days.day, ifnull(sum(value), 0.0) AS total FROM days LEFT JOIN readings USING (day) GROUP BY days.day

WITH RECURSIVE cnt(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM cnt LIMIT 20) SELECT x, x*x AS square FROM cnt

SELECT strftime('%Y-%m', o_orderdate) AS month, COUNT(*) AS n, SUM(o_totalprice) AS total FROM orders GROUP BY month HAVING n > 2 ORDER BY month

SELECT date(hired, 'start of month', '+1 month', '-1 day') AS ultimo, julianday('2024-01-01') - julianday(hired) AS days, strftime('%W', hired) AS week, unixepoch(hired) AS epoch, datetime(hired, '+36 hours') AS later FROM employees ORDER BY id

SELECT id, json_extract(payload, '$.amount') AS amount, payload ->> '$.page' AS page, payload -> 'items' AS items, json_array_length(payload, '$.items') AS n FROM events ORDER BY id

SELECT e.id, j.value AS tag FROM events AS e, json_each(e.tags) AS j ORDER BY e.id, j.key

SELECT t.fullkey, t.type, t.atom FROM events, json_tree(events.payload) AS t WHERE events.id = 3 ORDER BY t.id

SELECT kind, json_group_array(id) AS ids, json_group_object('k' || id, user_id) AS users FROM events WHERE id < 7 GROUP BY kind ORDER BY kind

SELECT json_object('n', name, 'tags', json_array(dept, id)) AS j, json_type('[1]') AS t, json_valid('{') AS bad, json_quote(name) AS q, json_patch('{"a":1}', '{"b":2}') AS p FROM employees ORDER BY id LIMIT 3

SELECT title, snippet(notes, 1, '[', ']', '...', 4) AS part FROM notes WHERE notes MATCH 'revenue OR profit' ORDER BY rank

SELECT rowid, title FROM notes('quarter*') ORDER BY rowid

SELECT title, bm25(notes, 5.0, 1.0) AS score FROM notes WHERE notes MATCH 'title:report AND body:revenue' ORDER BY score

SELECT n.title, highlight(notes, 0, '<b>', '</b>') AS marked FROM notes AS n WHERE n.body MATCH '"net revenue"'

SELECT title FROM notes WHERE notes = 'profit' ORDER BY title

SELECT dept, GROUP_CONCAT(name, '; ') AS names FROM (SELECT dept, name FROM employees ORDER BY name DESC) GROUP BY dept ORDER BY dept

SELECT group_concat(DISTINCT dept) AS depts, count(DISTINCT dept) FILTER (WHERE salary > 3000) AS n FROM employees

SELECT "地区", SUM("Net Amount") AS "总 额" FROM "Sales 2024" GROUP BY "地区" ORDER BY "总 额" DESC

SELECT [Order No], `select`, "Größe" FROM [Sales 2024] ORDER BY [Order No]

SELECT s.地区 AS région, s."Net Amount" * 1.19 AS brutto FROM "Sales 2024" s WHERE s.地区 <> '北' ORDER BY s."Order No"

SELECT count(*), sum(salary), avg(salary), min(hired), max(hired), total(salary) FROM employees

SELECT dept, count(*) FROM employees GROUP BY dept ORDER BY count(*) DESC, dept

SELECT name, upper(dept) || '-' || id, salary*1.1 FROM employees WHERE id BETWEEN 2 AND 4

SELECT CASE WHEN salary >= 7000 THEN 'high' WHEN salary >= 4000 THEN 'middle' ELSE 'low' END AS band, COUNT(*) AS n, ROUND(AVG(salary), 1) AS mean FROM employees GROUP BY 1 ORDER BY 2 DESC, 1

SELECT CAST(salary AS INTEGER) AS i, CAST(id AS TEXT) AS t, CAST('12abc' AS INTEGER) AS n, CAST(salary AS NUMERIC) AS d, typeof(salary) AS ty, 7 / 2 AS whole, 7 / 2.0 AS real, 7 % 3 AS m FROM employees ORDER BY id LIMIT 3

SELECT printf('%,d', 1234567) AS a, printf('%.2f%%', 12.345) AS b, format('%08.3f', 3.14159) AS c, substr('abcdef', -3, 2) AS d, replace('a-b', '-', '+') AS e, trim('xxaxx', 'x') AS f, instr('abc', 'c') AS g, hex('ab') AS h, char(65, 0x42) AS i, unicode('é') AS j

SELECT o.o_orderkey, c.c_name FROM orders o FULL OUTER JOIN customer c ON c.c_custkey = o.o_custkey AND o.o_totalprice > 300000 ORDER BY o.o_orderkey NULLS LAST, c.c_custkey LIMIT 20 OFFSET 5

SELECT n_name FROM nation WHERE n_regionkey IN (SELECT r_regionkey FROM region WHERE r_name GLOB 'A*') EXCEPT SELECT n_name FROM nation WHERE n_name LIKE '%AN%' ORDER BY 1

SELECT (SELECT count(*) FROM lineitem l WHERE l.l_orderkey = o.o_orderkey) AS lines, o_orderkey FROM orders o WHERE EXISTS (SELECT 1 FROM lineitem WHERE l_orderkey = o.o_orderkey AND l_discount > 0.09) ORDER BY lines DESC, o_orderkey LIMIT 5

SELECT dept, max(salary) AS top, name FROM employees GROUP BY dept ORDER BY dept

SELECT * FROM (VALUES (1, 'one'), (2, 'two')) AS v JOIN employees e ON e.id = v.column1

SELECT * FROM (SELECT dept, sum(salary), count(*) FROM employees GROUP BY dept) WHERE "sum(salary)" > 1 ORDER BY "sum(salary)"

SELECT (id, dept) = (1, 'ops') AS same, id IS NULL AS none, iif(id > 5, 'big', 'small') AS size, coalesce(email, '-') AS mail, nullif(dept, 'ops') AS d, name NOT NULL AS named FROM employees ORDER BY id LIMIT 4

SELECT 0xff AS h, 1e3+1e3 AS e, .5 AS half, 5 & 3 | 8 AS bits, ~1 AS inv, 1 << 4 AS sh, 'it''s' AS q, x'4142' AS b, 10 == 10 AS eq, 1 <> 2 AS ne, NOT 0 AS yes

SELECT name COLLATE NOCASE AS n FROM employees WHERE name LIKE 'PERSON 1%' ESCAPE '!' ORDER BY n COLLATE NOCASE DESC

EXPLAIN QUERY PLAN SELECT * FROM region

SELECT (id), -id, id+1, lower( name ), (SELECT max(r_name) FROM region) FROM employees ORDER BY id

SELECT 0x41 + 0 AS n, x'41' AS b, 5--1
AS five, typeof(0xff) AS i, typeof(x'ff') AS t

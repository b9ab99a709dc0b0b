SELECT dept, name, salary, PERCENT_RANK() OVER w AS pr, CUME_DIST() OVER w AS cd, NTILE(3) OVER w AS third FROM employees WINDOW w AS (PARTITION BY dept ORDER BY salary) ORDER BY dept, id

SELECT sensor, day, value, AVG(value) OVER (PARTITION BY sensor ORDER BY day ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS smooth, LAG(value) OVER (PARTITION BY sensor ORDER BY day) AS before_it FROM readings ORDER BY sensor, day

SELECT count(*), sum(salary), avg(salary), min(hired), max(name) FROM employees

SELECT dept, count(*), round(avg(salary), 2) FROM employees GROUP BY dept ORDER BY count(*) DESC, dept

SELECT name, UPPER(dept), salary * 1.1, salary + id FROM employees WHERE id BETWEEN 2 AND 4 ORDER BY id

SELECT IFNULL(dept, 'all') AS dept, YEAR(hired) AS y, SUM(salary) AS s FROM employees GROUP BY dept, YEAR(hired) WITH ROLLUP

WITH RECURSIVE chain AS (
  SELECT id, CAST(name AS CHAR(500)) AS path, 0 AS depth FROM employees WHERE manager_id IS NULL
  UNION ALL
  SELECT e.id, CONCAT(chain.path, ' > ', e.name), depth + 1 FROM employees e JOIN chain ON e.manager_id = chain.id # one level down
)
SELECT depth, COUNT(*) AS people, MAX(path) AS longest FROM chain GROUP BY depth ORDER BY depth

WITH RECURSIVE d AS (SELECT DATE '2024-03-01' AS day UNION ALL SELECT day + INTERVAL 1 DAY FROM d WHERE day < '2024-03-31') SELECT d.day, COALESCE(SUM(r.value), 0) AS total FROM d LEFT JOIN readings r USING (day) GROUP BY d.day ORDER BY d.day

SELECT DATE_FORMAT(o_orderdate, '%x-W%v') AS week, COUNT(*) AS n, SUM(o_totalprice) AS total FROM orders GROUP BY week HAVING n > 1 ORDER BY week LIMIT 10

SELECT DATE_ADD(hired, INTERVAL 1 QUARTER) AS q, hired - INTERVAL 1 MONTH AS m, TIMESTAMPDIFF(YEAR, hired, '2024-03-01') AS years, DATEDIFF('2024-03-01', hired) AS days, LAST_DAY(hired) AS ultimo, STR_TO_DATE('31.12.2023', '%d.%m.%Y') AS s, EXTRACT(YEAR_MONTH FROM hired) AS ym FROM employees ORDER BY id

SELECT ADDDATE(hired, 7) AS a, TIMESTAMP(hired, '12:30:00') AS t, WEEK(hired, 3) AS w, YEARWEEK(hired, 1) AS yw, DATE_FORMAT(hired, '%W %e %M %Y') AS spelled, UNIX_TIMESTAMP(hired) > 0 AS u FROM employees ORDER BY id

SELECT id, JSON_EXTRACT(payload, '$.amount') AS amount, JSON_VALUE(payload, '$.page') AS page, JSON_UNQUOTE(JSON_EXTRACT(payload, '$.items[0]')) AS f, JSON_LENGTH(payload, '$.items') AS n, JSON_EXISTS(payload, '$.ok') AS has FROM events ORDER BY id

SELECT e.id, j.n, j.tag FROM events e, JSON_TABLE(e.tags, '$[*]' COLUMNS (n FOR ORDINALITY, tag VARCHAR(10) PATH '$' DEFAULT '?' ON EMPTY)) AS j ORDER BY e.id, j.n

SELECT kind, JSON_ARRAYAGG(id ORDER BY id DESC) AS ids, JSON_OBJECTAGG(id, user_id) AS users FROM events WHERE id < 9 GROUP BY kind ORDER BY kind

SELECT GROUP_CONCAT(DISTINCT dept ORDER BY dept DESC SEPARATOR ' / ') AS depts, GROUP_CONCAT(name, ':', id ORDER BY id LIMIT 3) AS three FROM employees

SELECT name, REGEXP_REPLACE(name, '([A-Za-z]+) ([0-9]+)', '\\2-\\1') AS turned, REGEXP_SUBSTR(name, '[0-9]+') AS digits, name REGEXP '^p' AS p, name RLIKE BINARY '^p' AS exact FROM employees ORDER BY id

SELECT `地区`, SUM(`Net Amount`) AS `总 额`, MAX(`Größe`) AS größte FROM `Sales 2024` GROUP BY `地区` ORDER BY `总 额` DESC

SELECT s.地区, s.`select` /* a reserved word */ FROM `Sales 2024` AS s -- the end

SELECT CASE WHEN salary >= 7000 THEN 'high' WHEN salary >= 4000 THEN 'middle' ELSE 'low' END AS band, COUNT(*) AS n FROM employees GROUP BY band ORDER BY n DESC, band

SELECT CAST(salary AS UNSIGNED) AS u, CONVERT(salary, CHAR(20)) AS c, CAST('12.5' AS DECIMAL(5,1)) AS d, CAST('2024-01-01 10:11' AS DATETIME) AS t, CAST(NULL AS TIME) AS n, 7 DIV 2 AS w, 7 / 2 AS r, -7 % 3 AS m, CAST(1.5 AS DOUBLE) AS f FROM employees ORDER BY id LIMIT 3

SELECT CONCAT_WS('-', name, NULL, dept) AS j, LPAD(id, 5, '0') AS p, FORMAT(salary, 1) AS f, SUBSTRING_INDEX(email, '@', 1) AS who, TRIM(TRAILING '5' FROM name) AS t, CHAR_LENGTH(dept) AS cl, LENGTH(dept) AS l, ELT(2, 'a', 'b') AS e FROM employees ORDER BY id

SELECT n_name FROM nation WHERE n_regionkey IN (SELECT r_regionkey FROM region WHERE r_name LIKE 'A%') EXCEPT SELECT n_name FROM nation WHERE n_name LIKE '%AN%' ORDER BY 1

SELECT n_name FROM nation INTERSECT ALL SELECT n_name FROM nation WHERE n_nationkey < 5 ORDER BY n_name

SELECT v.seq, v.seq * v.seq AS square FROM (SELECT 1 AS seq UNION ALL SELECT 2 UNION ALL SELECT 3) v ORDER BY v.seq DESC

SELECT dept, name, PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY salary) OVER (PARTITION BY dept) AS mid FROM employees ORDER BY dept, id

SELECT o.o_orderkey, c.c_name, (SELECT COUNT(*) FROM lineitem l WHERE l.l_orderkey = o.o_orderkey) AS n FROM orders o LEFT JOIN customer c ON c.c_custkey = o.o_custkey WHERE o.o_totalprice > (SELECT AVG(o_totalprice) FROM orders) ORDER BY n DESC, o.o_orderkey LIMIT 5, 10

SELECT e.name FROM employees AS e WHERE NOT EXISTS (SELECT * FROM orders WHERE o_custkey = e.id) AND (e.dept, e.id) NOT IN (SELECT 'ops', 1) ORDER BY e.name

SELECT 0xFF + 0 AS h, 1e3+1e3 AS e, .5 AS half, 5 & 3 | 8 AS bits, ~1 & 255 AS inv, 'it''s' AS q, "double" AS dq, 'a' 'b' AS joined, TRUE XOR FALSE AS x, NULL <=> NULL AS same, N'n' AS national

SELECT MEDIAN(salary) OVER (PARTITION BY dept) AS med, STDDEV_SAMP(salary) OVER (PARTITION BY dept) AS sd, VAR_POP(id) OVER () AS v FROM employees ORDER BY id

VALUES (1, 'one'), (2, 'two')

SHOW TABLES

SELECT _utf8mb4'é' AS introduced

SELECT t.`sum(salary)`, t.dept FROM (SELECT dept, sum(salary) FROM employees GROUP BY dept) t ORDER BY 1

WITH c AS (SELECT dept, max( salary ) - min(salary) FROM employees GROUP BY dept) SELECT * FROM c ORDER BY dept

SELECT concat(dept, ' with a long text that is still the name of the column because nobody gave it another one ', name, ' and it goes on beyond two hundred and fifty-six letters, which is more than any alias may have, so that the server cuts it off or not, as it does without us ', id) FROM employees ORDER BY id

SELECT /* both are written from the tree */ 0x41 + 0 AS n, x'41' + 0 AS t, 0x41 AS a, 5--1 AS six

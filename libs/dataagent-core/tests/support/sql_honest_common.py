"""Questions written alike in all four engines, from the plain to the odd."""

COMMON = (
    # Plain selections, aliases, arithmetic and conditions
    "select * from region",
    "SELECT r.* FROM region AS r WHERE r.r_regionkey <> 2;",
    "select n_name country, n_nationkey + 1 AS next_key from nation where n_nationkey % 5 = 0",
    "select distinct o_orderstatus, o_orderpriority from orders",
    "select count(*), count(email), count(distinct dept) from employees",
    "select name from employees where email is null or not (salary > 3000 and dept = 'ops')",
    "select name from employees where dept = '研发' order by name desc limit 3 offset 1",
    "select p_name from part where p_name like '%blue%' and p_size between 10 and 40",
    "select case dept when 'sales' then 1 when 'ops' then 2 else 0 end as code, count(*) from employees group by 1",
    "select coalesce(email, 'none') as email, nullif(dept, 'ops') as dept from employees",
    "select -salary, +salary, salary * 2, (salary - 1000) / 2.0 from employees",
    "select 'it''s' as quote, 'a -- b' as dashes, 'x /* y */ z' as stars, ';' as semicolon",
    "select 'drop table region' as text, 'SELECT 1 INTO OUTFILE' as more from region where r_regionkey = 1",
    "select 1 as a, 2.5 as b, null as c, 'x' as d",
    "select upper(name), lower(dept), length(name), trim('  a  '), replace(name, 'Person', 'P') from employees",
    "select abs(s_acctbal), round(s_acctbal, 1), round(s_acctbal) from supplier",
    "select name from employees where id in (1, 3, 5, 7) and name not in ('Person 3')",
    # Comments, odd spacing, brackets
    "/* what is there */ select /* all */ r_name -- names\nfrom region -- end",
    "select((r_regionkey)) from region where((r_regionkey)>(1))",
    # Joins
    "select r_name, n_name from region join nation on r_regionkey = n_regionkey order by 1, 2",
    "select r_name, count(n_nationkey) from region left join nation on n_regionkey = r_regionkey and n_name like 'I%' group by r_name",
    "select a.name, b.name as boss from employees a left outer join employees b on a.manager_id = b.id",
    "select a.r_name, b.r_name from region a cross join region b where a.r_regionkey < b.r_regionkey",
    "select * from (select r_regionkey as k, r_name from region) a join (select n_regionkey as k, n_name from nation) b using (k)",
    "select s_name from supplier s where exists (select 1 from partsupp ps where ps.ps_suppkey = s.s_suppkey and ps.ps_availqty > 9000)",
    "select p_name, (select max(l_quantity) from lineitem where l_partkey = p_partkey) as most from part where p_partkey <= 20",
    "select o.o_orderkey from orders o where o.o_totalprice > (select avg(i.o_totalprice) * 1.5 from orders i where i.o_custkey = o.o_custkey)",
    "select c_name from customer where c_custkey not in (select o_custkey from orders where o_custkey is not null)",
    "select x.n from (select count(*) as n from orders) x where x.n > 0",
    # Groups
    "select dept, min(salary), max(salary), sum(salary), avg(salary) from employees group by dept having count(*) > 2 order by dept",
    "select o_orderstatus, sum(case when o_totalprice > 100000 then 1 else 0 end) as big from orders group by o_orderstatus",
    "select count(*) from (select o_custkey from orders group by o_custkey having sum(o_totalprice) > 500000) rich",
    "select sensor, count(value) as seen, count(*) - count(value) as missing from readings group by sensor",
    # Set operations
    "select r_name from region union select n_name from nation where n_nationkey < 3",
    "select 1 as n union all select 2 union all select 2 union select 3",
    "select n_regionkey from nation intersect select r_regionkey from region where r_regionkey > 1",
    "select r_regionkey from region except select n_regionkey from nation where n_name like 'A%'",
    "select 'region' as what, count(*) as n from region union all select 'nation', count(*) from nation order by n",
    # CTEs
    "with big as (select * from orders where o_totalprice > 200000) select o_orderstatus, count(*) from big group by o_orderstatus",
    "with a as (select 1 as x), b as (select x + 1 as y from a), c(z) as (select y * 2 from b) select x, y, z from a, b, c",
    "with recursive n(i) as (select 1 union all select i + 1 from n where i < 10) select sum(i) as total, max(i) as top from n",
    "with recursive chain as (select id, name, manager_id, 0 as depth from employees where manager_id is null union all select e.id, e.name, e.manager_id, c.depth + 1 from employees e join chain c on e.manager_id = c.id) select depth, count(*) from chain group by depth order by depth",
    "with t as (select dept, salary from employees) select dept from t where salary = (select max(salary) from t)",
    "select * from (with inside as (select 5 as five) select five from inside) q",
    # Windows
    "select name, dept, salary, row_number() over (partition by dept order by salary desc, id) as place from employees",
    "select day, sensor, value, avg(value) over (partition by sensor order by day rows between 2 preceding and current row) as smooth from readings",
    "select name, salary, rank() over (order by dept), dense_rank() over (order by dept), ntile(4) over (order by id) from employees",
    "select day, value, lag(value) over w as before_it, lead(value, 1) over w as after_it from readings where sensor = 'a' window w as (order by day)",
    "select o_custkey, o_orderdate, sum(o_totalprice) over (partition by o_custkey order by o_orderdate, o_orderkey) as running from orders where o_custkey < 6",
    "select * from (select name, salary, percent_rank() over (order by salary) as p from employees) t where p > 0.5",
    "select dept, salary, first_value(name) over (partition by dept order by salary desc, id) as best from employees",
    "select name, salary - avg(salary) over () as beyond, 100.0 * salary / sum(salary) over (partition by dept) as share from employees",
    # Names that look like something else
    'select id as "select" from employees where id = 1',
    "select e.id as copy, e.name as grants from employees as e where e.id = 2",
    # Values that look like attacks
    "select count(*) as none_of_them from employees where name = 'Robert''); DROP TABLE employees;--'",
    "select count(*) as n from employees where email like '%@example.com' and name <> '\"quoted\"'",
)  # fmt: skip

# Not in SQLite of this age, or never there.
NOT_SQLITE = (
    "select concat(name, ' / ', dept) as both_of_them from employees where id < 5",
    "with region as (select r_name as shadow from region) select shadow from region",
    "select left(c_phone, 2) as code, count(*) from customer group by left(c_phone, 2) having count(*) > 1",
)

"""Every unquoted word, besides functions, that may stand in the SQL that runs.

Names are always quoted there, so a word is a keyword, a type or a part of a date. Left out on
purpose: INTO, FOR (but between FOR and a column of a PIVOT or a list comprehension), UPDATE,
OUTFILE, PROCEDURE and the like; the lists make them impossible.
"""

_STRUCTURE = """
select distinct on from where group by having qualify window order asc desc nulls first last limit
offset fetch next row rows only with ties percent union all except intersect name by recursive
materialized not values as lateral join inner left right full outer cross natural using asof
semi anti positional tablesample sample repeatable bernoulli system reservoir seed ordinality
grouping sets rollup cube over partition range groups between unbounded preceding following current
exclude no others filter within ignore respect search depth breadth set cycle to default
pivot unpivot in include nulls replace rename values
case when then else end and or xor is null true false unknown like ilike similar escape any some
all exists between distinct glob regexp rlike match collate at time zone symmetric
div mod member of array struct map lambda if for columns view final prewhere any global
distribute sort cluster each row interval both leading trailing placing from separator against
boolean mode natural language query expansion overflow truncate error count without unique keys
absent passing returning empty nested path wrapper conditional unconditional omit quotes keep
object exists ordinality format json encoding utf8 character charset binary unnest table only
overlaps date timestamp time year month day hour minute second row max min having position
isnull notnull bucket out of weight step input outer mode
"""
_DATE_PARTS = """
century centuries day days day_hour day_microsecond day_minute day_second dayofweek dayofyear
decade decades dow doy epoch era hour hours hour_microsecond hour_minute hour_second isodow isoweek
isoyear julian microsecond microseconds millennium millennia millisecond milliseconds minute
minutes minute_microsecond minute_second month months nanosecond nanoseconds quarter quarters
second seconds second_microsecond timezone timezone_hour timezone_minute week weeks weekday
week_iso year years year_month yearofweek yearweek monday sunday saturday tuesday wednesday
thursday friday
"""
_TYPES = """
array bigint bigdecimal bignumeric binary bit blob bool boolean bpchar bytea bytes char character
date date32 datemultirange daterange datetime datetime64 dec decimal decimal32 decimal64 decimal128
double precision enum enum8 enum16 fixedstring float float32 float64 float4 float8 geography
geometry hugeint inet cidr int int1 int2 int4 int8 int16 int32 int64 int128 int256 integer
int4multirange int4range int8multirange int8range interval ipaddress json jsonb list long longblob
longtext lowcardinality map mediumblob mediumint mediumtext money national nchar nested nullable
number numeric nummultirange numrange nvarchar object point real row short signed smallint string
struct super text time timetz timestamp timestamp_ltz timestamp_ms timestamp_ns timestamp_ntz
timestamp_s timestamp_tz timestampltz timestampntz timestamptz tinyblob tinyint tinytext
tsmultirange
tsrange tstzmultirange tstzrange ubigint uhugeint uint uint128 uint8 uint16 uint32 uint64 uinteger
union unsigned usmallint utinyint uuid varbinary varchar variant varying with without zone local
year
tuple byte name
"""
KEYWORDS = frozenset(f"{_STRUCTURE} {_DATE_PARTS} {_TYPES}".split())

# Keywords and types that a bracket may follow without a function being called.
_BEFORE_BRACKET = """
in exists any all some values over as on using and or xor not when then else by from where having
select distinct union except intersect lateral filter within group sets rollup cube exclude replace
rename between like is join limit offset columns set partition with is returning unnest pivot
unpivot for grouping array row if lambda interval escape similar ilike glob regexp rlike match
collate against then case qualify tablesample sample bernoulli system reservoir repeatable seed
materialized mod div table view name window include system percent default passing ordinality path
symmetric only fetch to
"""
CALLABLE_KEYWORDS = frozenset(f"{_BEFORE_BRACKET} {_TYPES}".split())

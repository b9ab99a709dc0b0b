"""Parts of a query, by the parser's class. A part with arguments of its own may use only these.

Left out on purpose: everything that writes, INTO, locks, hints, variables and parameters, time
travel, settings, formats, operators by name, and functions reached through a schema.
"""

_PLAIN = """
Select Subquery Union Except Intersect Values With CTE TableAlias Table From Join Lateral Where
Group Having Qualify Order Ordered Limit LimitOptions Fetch Offset Distinct Window WindowSpec
GroupingSets Rollup Cube Pivot PivotAlias PivotAny UnpivotColumns TableSample Final PreWhere
Distribute Sort Cluster RecursiveWithSearch

Alias Aliases Column Identifier Star Dot Paren Tuple Literal Boolean Null Var Interval IntervalSpan
HexString BitString National RawString Heredoc PositionalColumn DataType DataTypeParam ColumnDef
CharacterSet

Add Sub Mul Div IntDiv Mod Neg Not EQ NEQ GT GTE LT LTE NullSafeEQ NullSafeNEQ Is Like ILike
SimilarTo Between In Escape Glob Any All DPipe Overlaps Adjacent ExtendsLeft ExtendsRight Distance
BitwiseAnd BitwiseOr BitwiseXor BitwiseNot BitwiseLeftShift BitwiseRightShift Bracket Slice
Lambda Kwarg PropertyEQ Comprehension AtTimeZone FromTimeZone AtIndex Match

Filter WithinGroup IgnoreNulls RespectNulls HavingMax OverflowTruncateBehavior
JSON JSONValue JSONKeyValue JSONPath JSONPathFilter JSONPathKey JSONPathPart JSONPathRecursive
JSONPathRoot JSONPathScript JSONPathSelector JSONPathSlice JSONPathSubscript JSONPathUnion
JSONPathWildcard JSONSchema JSONColumnDef JSONExtractQuote FormatJson OnCondition
"""
NODES = frozenset(_PLAIN.split())

_QUERY = "with_ expressions distinct from_ laterals joins where group having qualify windows order"
_TAIL = "limit offset sample prewhere distribute sort cluster"
_SET = "with_ this expression distinct by_name side kind on order limit offset"
ARGUMENTS: dict[str, frozenset[str]] = {
    "Select": frozenset(f"{_QUERY} {_TAIL}".split()),
    "Union": frozenset(_SET.split()),
    "Except": frozenset(_SET.split()),
    "Intersect": frozenset(_SET.split()),
    "Subquery": frozenset(
        ["this", "alias", "with_", "order", "limit", "offset", "joins", "pivots", "sample"]
    ),
    "Table": frozenset(
        [
            "this",
            "alias",
            "db",
            "catalog",
            "laterals",
            "joins",
            "pivots",
            "ordinality",
            "only",
            "rows_from",
            "sample",
        ]
    ),
    "Join": frozenset(
        ["this", "on", "side", "kind", "using", "method", "global_", "expressions", "pivots"]
    ),
    "With": frozenset(["expressions", "recursive", "search", "cycle"]),
    "CTE": frozenset(["this", "alias", "materialized", "key_expressions"]),
    "TableSample": frozenset(
        [
            "expressions",
            "method",
            "bucket_numerator",
            "bucket_denominator",
            "bucket_field",
            "percent",
            "rows",
            "size",
            "seed",
        ]
    ),
    "Limit": frozenset(["this", "expression", "offset", "limit_options", "expressions"]),
    "Column": frozenset(["this", "table", "db", "catalog"]),
    "Pivot": frozenset(
        [
            "this",
            "alias",
            "expressions",
            "fields",
            "unpivot",
            "using",
            "group",
            "columns",
            "include_nulls",
            "default_on_null",
            "into",
            "with_",
            "identify_pivot_strings",
            "prefixed_pivot_columns",
            "pivot_column_naming",
            "value_columns_first",
        ]
    ),
}
# Arguments that a binary operator, a function or a type may not bring along.
FORBIDDEN_ARGUMENTS = frozenset({"operator", "hint", "hints", "settings", "into"})

# Types a value may be cast to; a type somebody made could bring a function of theirs.
_TYPES = """
ARRAY BIGDECIMAL BIGINT BIGNUM BIGSERIAL BINARY BIT BLOB BOOLEAN BPCHAR CHAR DATE DATE32
DATEMULTIRANGE DATERANGE DATETIME DATETIME2 DATETIME64 DECIMAL DECIMAL32 DECIMAL64 DECIMAL128
DECIMAL256 DECFLOAT DOUBLE ENUM ENUM8 ENUM16 FIXEDSTRING FLOAT GEOGRAPHY GEOMETRY HUGEINT INET INT
INT128 INT256 INT4MULTIRANGE INT4RANGE INT8MULTIRANGE INT8RANGE INTERVAL IPADDRESS IPPREFIX IPV4
IPV6 JSON JSONB LIST LONGBLOB LONGTEXT LOWCARDINALITY MAP MEDIUMBLOB MEDIUMINT MEDIUMTEXT MONEY
NAME NCHAR NESTED NULL NULLABLE NUMMULTIRANGE NUMRANGE NVARCHAR OBJECT POINT RANGE SMALLDATETIME
SMALLINT SMALLMONEY STRUCT SUPER TEXT TIME TIMETZ TIMESTAMP TIMESTAMPLTZ TIMESTAMPNTZ TIMESTAMPTZ
TIMESTAMP_MS TIMESTAMP_NS TIMESTAMP_S TIME_NS TINYBLOB TINYINT TINYTEXT TSMULTIRANGE TSRANGE
TSTZMULTIRANGE TSTZRANGE UBIGINT UHUGEINT UINT UINT128 UINT256 UMEDIUMINT UDECIMAL UDOUBLE UNION
UNKNOWN CHARACTER_SET USMALLINT UTINYINT UUID VARBINARY VARCHAR VARIANT YEAR SIGNED UNSIGNED
"""
TYPES = frozenset(_TYPES.split())

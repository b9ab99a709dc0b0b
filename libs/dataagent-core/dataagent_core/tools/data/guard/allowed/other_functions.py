"""Functions of the engines that are reached through an extra or a URL.

Left out: table functions over files, URLs and other servers, dictionaries, sleep, settings,
Java calls, stages, secrets, external queries and models.
"""

OTHERS = """
acosh asinh atanh cbrt cosh sinh tanh approx_count_distinct approx_distinct approx_percentile
approx_quantiles approx_top_count arbitrary arg_max arg_min max_by min_by collect_list collect_set
countif histogram kurtosis skewness map_agg multimap_agg array_concat_agg logical_and logical_or
percentile percentile_approx regr_slope regr_intercept regr_r2 checksum geometric_mean
adddate add_months date_format datetime datetime_add datetime_diff datetime_sub datetime_trunc
dateadd date_from_parts date_parse format_date format_datetime format_timestamp from_iso8601_date
from_iso8601_timestamp from_unixtime hours_add months_between next_day parse_date parse_datetime
parse_timestamp time_add time_diff time_slice time_sub time_trunc timeadd timediff timestamp_add
timestamp_diff timestamp_micros timestamp_millis timestamp_seconds timestamp_sub timestamp_trunc
timestampadd timestampdiff timestamp_from_parts to_iso8601 to_unixtime trunc unix_date
unix_micros unix_millis unix_seconds unix_timestamp weekday year_of_week yearweek day_of_week
day_of_year convert_timezone at_timezone from_utc_timestamp to_utc_timestamp make_timestamp
array_append array_compact array_contains array_distinct array_except array_first array_intersect
array_join array_last array_length array_max array_min array_position array_prepend array_remove
array_repeat array_reverse array_size array_slice array_sort array_sum array_to_string array_union
arrays_overlap arrays_zip cardinality contains element_at explode explode_outer filter flatten
generate_array generate_date_array generate_series generate_timestamp_array posexplode
posexplode_outer inline stack sequence shuffle size slice sort_array transform reduce aggregate
any_match all_match none_match zip_with named_struct struct map map_concat map_entries
map_filter map_from_arrays map_from_entries map_keys map_values transform_values transform_keys
object_construct object_agg object_keys array_construct array_cat array_flatten parse_json
try_parse_json to_json from_json get_json_object json_tuple json_extract_scalar json_extract_array
json_format json_parse json_size json_value_array json_query_array json_extract_path_text
to_json_string get get_path is_array is_object as_varchar as_integer as_double strip_null_value
base64 base64_encode base64_decode_string bin bit_count charindex char chr codepoint editdistance
levenshtein_distance levenshtein jarowinkler_similarity format_number format_string from_base64
from_hex hash hex instr lcase len locate normalize parse_url regexp regexp_contains
regexp_extract_all regexp_split sha2 split_to_map str_to_map substring_index to_base64 to_hex
to_utf8 from_utf8 ucase unbase64 unhex uuid generate_uuid word_stem xxhash64 safe_cast safe_divide
div0 div0null zeroifnull nullifzero equal_null decode square factorial width_bucket bround rint
pmod shiftleft shiftright bitwise_and bitwise_or bitwise_xor bitand bitor bitxor
infinity is_nan is_finite is_infinite isnan isnull isnotnull isinf nanvl ieee_divide
typeof to_varchar to_decimal to_double to_boolean to_variant try_to_date try_to_number
try_to_timestamp try_to_decimal array_to_json interval offset ordinal safe_offset safe_ordinal
array_transform try hour_of_day date_bin qualify ratio_to_report
"""
CLICKHOUSE = """
uniq uniqexact uniqcombined uniqhll12 quantile quantileexact quantiles quantiletdigest topk anylast
anyheavy grouparray groupuniqarray sumif avgif minif maxif anyif uniqif uniqexactif
sumdistinct argmin argmax avgweighted summap minmap maxmap deltasum retention windowfunnel
sequencecount sequencematch varpop varsamp stddevpop stddevsamp covarpop covarsamp
simplelinearregression
todate todatetime todatetime64 todate32 toint8 toint16 toint32 toint64 touint8 touint16 touint32
touint64 tofloat32 tofloat64 todecimal32 todecimal64 tostring toyear toquarter tomonth
todayofmonth todayofweek todayofyear tohour tominute tosecond tounixtimestamp tostartofyear
tostartofquarter tostartofmonth tostartofweek tostartofday tostartofhour tostartofminute
tostartofinterval tomonday toyyyymm toyyyymmdd torelativedaynum adddays addweeks addmonths
addyears subtractdays subtractmonths formatdatetime parsedatetimebesteffort today yesterday
timeslot dateadd datesub datediff datetrunc datename age todatetimeornull toint32ornull
toint64ornull tofloat64ornull
todateornull
lowerutf8 upperutf8 lengthutf8 substringutf8 reverseutf8 positioncaseinsensitive match multimatchany
extractall splitbychar splitbystring splitbyregexp arraystringconcat replaceall replaceone
replaceregexpall replaceregexpone trimboth trimleft trimright startswith endswith empty notempty
arraymap arrayfilter arraycount arraysum arrayavg arraymin arraymax arrayexists arrayall arrayfirst
arraysort arrayreversesort arrayuniq arraydistinct arrayconcat arrayslice arrayelement arrayjoin
arrayenumerate arrayzip arraycumsum arraydifference has hasall hasany indexof length range
multiif ifnull nullif assumenotnull tonullable isnull isnotnull coalesce
jsonextract jsonextractstring jsonextractint jsonextractfloat jsonextractbool jsonextractraw
jsonextractarrayraw jsonhas jsonlength jsontype visitparamextractstring
intdiv intdivorzero modulo negate plus minus multiply divide roundbankers floor ceil bitand bitor
bitxor
cityhash64 siphash64 halfmd5 tuple tupleelement untuple map mapkeys mapvalues
lagInFrame leadInFrame laginframe leadinframe runningdifference neighbor
domain path cutquerystring protocol tolowcardinality totypename formatreadablesize
formatreadablequantity bar generateuuidv4
"""
OTHERS_TABLES = """
unnest explode explode_outer posexplode posexplode_outer inline stack flatten generate_series range
sequence numbers json_table table generate_array
"""

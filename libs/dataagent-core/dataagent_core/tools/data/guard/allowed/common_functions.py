"""Functions nearly every engine has under this name, which compute from their arguments alone."""

COMMON = """
abs acos asin atan atan2 ceil ceiling cos cot degrees exp floor greatest least ln log log10 log2
mod pi pow power radians rand random round sign sin sqrt tan trunc truncate
avg count max min sum stddev stddev_pop stddev_samp var_pop var_samp variance corr covar_pop
covar_samp median mode any_value array_agg string_agg group_concat listagg bit_and bit_or bit_xor
bool_and bool_or every count_if percentile_cont percentile_disc grouping grouping_id
row_number rank dense_rank percent_rank cume_dist ntile lag lead first_value last_value nth_value
coalesce nullif ifnull nvl nvl2 if iif case cast try_cast convert
ascii char_length character_length chr concat concat_ws format initcap left length lower lpad ltrim
md5 octet_length overlay position repeat replace reverse right rpad rtrim sha1 sha256 sha512 split
split_part soundex space strpos substr substring translate trim upper starts_with ends_with
regexp_replace regexp_like regexp_substr regexp_instr regexp_count regexp_extract regexp_matches
date date_add date_sub date_diff datediff date_part date_trunc extract current_date current_time
current_timestamp localtime localtimestamp now day dayofmonth dayofweek dayofyear dayname hour
last_day minute month monthname quarter second week weekofyear year time timestamp
to_char to_date to_number to_timestamp make_date
json_array json_object json_extract json_array_length json_keys json_valid json_value json_query
json_exists json_arrayagg json_objectagg json_type
exists row array unnest rollup cube sets
"""

"""The functions of MySQL and MariaDB.

Left out: files, locks, sleep, `benchmark`, user and server state, `last_insert_id`, `found_rows`,
sequences, replication, encryption, XML, user variables.
"""

MYSQL = """
bin bit_count conv crc32 crc32c oct std
json_array_append json_array_insert json_compact json_contains json_contains_path json_depth
json_detailed json_equals json_insert json_length json_loose json_merge json_merge_patch
json_merge_preserve json_normalize json_overlaps json_pretty json_quote json_remove json_replace
json_schema_valid json_search json_set json_table json_unquote
adddate addtime add_months curdate curtime convert_tz date_format from_days from_unixtime makedate
maketime microsecond period_add period_diff sec_to_time str_to_date subdate subtime sysdate
time_format time_to_sec timediff timestampadd timestampdiff to_days to_seconds unix_timestamp
utc_date utc_time utc_timestamp weekday yearweek get_format interval
bit_length char character collation coercibility elt export_set field find_in_set from_base64 hex
insert instr isnull lcase lengthb locate make_set match against mid natural_sort_key ord quote sfm
sformat sha sha2 strcmp substring_index to_base64 ucase unhex weight_string
inet6_aton inet6_ntoa inet_aton inet_ntoa is_ipv4 is_ipv4_compat is_ipv4_mapped is_ipv6
uuid sys_guid regexp json_storage_size bit_length
"""
MYSQL_TABLES = "json_table"

"""The engines that run queries, one for each kind of source."""

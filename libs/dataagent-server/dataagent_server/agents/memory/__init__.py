"""Memories of people on a server (S3, S0 property 54); core's `MemoryService` keeps and finds them.

tenant_memory.py      what keeps and finds the memories of one tenant, made once
memory_store.py       core's statements on this server's database
personal_memories.py  the memories of the principal, with rights and audit
personal_graph.py     the knowledge graph of the principal, likewise
memory_record.py      what a person writes of a memory and asks of their memories
own_memory.py         the right to memories: one's own
known_memories.py     what is known about a person, by type
audited_writes.py     records a change in the audit log, in its first transaction
memory_remover.py     removes what is remembered of who leaves, and in deleted projects
memory_upkeep.py      the periodic work, of which one process at a time does each (chore_claims.py)
*_rows.py             the server's own SQL over core's tables
"""

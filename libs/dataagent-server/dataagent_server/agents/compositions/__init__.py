"""Tool compositions of a tenant or a project: stored and counted here, run by core (S2 §7.4).

composition_record.py   a composition as it is stored, and the changes of one
composition_rows.py     the SQL, with counts that are added up in the database
agent_compositions.py   those an agent gets, and where its executions are counted
composition_service.py  creates, reads, changes and deletes compositions, with rights and audit
"""

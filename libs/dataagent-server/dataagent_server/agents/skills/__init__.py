"""The skills of a tenant and of its projects: stored here, used by core's agents (S2 §8.4).

skill_record.py    a skill as its row holds it, and how rows and values map
skill_rows.py      the SQL of skills; `version_rows.py`, `blob_rows.py`, `config_rows.py` the rest
run_skill_rows.py  the versions that runs use, which stay until the runs are over
revision_rows.py   the number that tells every process whether what it keeps is current
skill_rights.py    who may see and change which skill
skill_draft.py     a SKILL.md from a text and from fields
form_files.py      the files of an upload: one SKILL.md, a folder, or a zip file
skill_view.py      a skill as it is shown, whatever its tier
system_skills.py   the skills that come with DataAgent, with ids of their own
skill_service.py   creates, reads, changes and deletes skills, with rights and audit
config_service.py  a tenant disables and overrides the system's skills
set_folders.py     the folders that agents read skills from: written once, swept when unused
tenant_skills.py   the skills an agent gets, and which of them fit a message
orphans.py         removes what a deleted project's skills leave behind
skill_services.py  what routes and runs use
"""

"""The sentences of `dataagent skills` and `dataagent agents`: key, English, Chinese."""

SKILL_TEXTS: dict[str, tuple[str, str]] = {
    "col.skill": ("SKILL", "技能"),
    "col.skill_state": ("STATE", "状态"),
    "col.version": ("VERSION", "版本"),
    "col.triggers": ("TRIGGERS", "触发语"),
    "col.tools": ("TOOLS", "工具"),
    "col.files": ("FILES", "文件"),
    "col.should_fire": ("SHOULD FIRE", "应触发"),
    "col.recall": ("RECALL", "召回率"),
    "col.precision": ("PRECISION", "精确率"),
    "col.subagent": ("SUB-AGENT", "子智能体"),
    "col.origin": ("FROM", "来源"),
    "origin.project": ("project", "项目"),
    "origin.person": ("your own", "个人"),
    "origin.built-in": ("built in", "内置"),
    "skill_disabled": ("disabled", "已停用"),
    "skill_overridden": ("overridden", "已被覆盖"),
    "skill_unknown": (
        (
            "There is no skill and no folder {name!r}. `dataagent skills list` names those "
            "that are there."
        ),
        "没有名为 {name!r} 的技能或文件夹。`dataagent skills list` 会列出现有的技能。",
    ),
    "skill_not_offered": (
        "The skill {name!r} is disabled: `status` in its SKILL.md says so.",
        "技能 {name!r} 已停用:其 SKILL.md 中的 `status` 如此规定。",
    ),
    "skill_broken": (
        (
            "The skill {name!r} cannot be used until its file is corrected. Then check it: "
            "{dataagent} skills validate {name}"
        ),
        "技能 {name!r} 的文件改正之前无法使用。改正后请检查:{dataagent} skills validate {name}",
    ),
    "skill_built_in": (
        "{name!r} is a built-in skill and stays. One of yours of the same name takes its place.",
        "{name!r} 是内置技能,不能移除。你自己的同名技能会取代它。",
    ),
    "skill_of_project": (
        "{name!r} is a skill of this project. Remove it with --project.",
        "{name!r} 是此项目的技能。请用 --project 移除。",
    ),
    "skill_of_person": (
        "{name!r} is a skill of your own, not of this project. Remove it without --project.",
        "{name!r} 是你自己的技能,不属于此项目。请不加 --project 移除。",
    ),
    "needs_tools": ("needs {tools}", "需要 {tools}"),
    "skill_description": (
        "{title}. Use when someone asks for it.",
        "{title}。当有人提出此类要求时使用。",
    ),
    "skill_made": ("wrote {path}", "已写入 {path}"),
    "skill_made_next": (
        "fill it in, then: {dataagent} skills validate {name}",
        "填写内容后运行:{dataagent} skills validate {name}",
    ),
    "skill_replace": ("{problem} Replace it?", "{problem:translated} 要替换吗?"),
    "skill_installed": ("installed {name} in {path}", "已将 {name} 安装到 {path}"),
    "skill_installed_next": (
        "it is used when a message fits it, or with /skills {name} in a conversation",
        "消息与它相符时会自动使用;也可以在对话中用 /skills {name} 指定",
    ),
    "skill_removed": ("removed {name}", "已移除 {name}"),
    "skills_valid": (
        "{count} {count:plural skill skills} checked: no errors",
        "已检查 {count} 个技能:没有错误",
    ),
    "skills_invalid": (
        "{count} {count:plural skill skills} checked: {wrong} {wrong:plural error errors}",
        "已检查 {count} 个技能:{wrong} 个错误",
    ),
    "skill_untested": (
        (
            "{name} has no prompts to try. Write some into {path}: "
            '{{"should": ["a prompt that fires it"], "should_not": ["one that does not"]}}'
        ),
        (
            "{name} 没有可用的测试提示。请写入 {path}:"
            '{{"should": ["应触发的提示"], "should_not": ["不应触发的提示"]}}'
        ),
    ),
    "skills_total": ("all", "合计"),
    "skills_apart": ("No skill fires on the prompts of another.", "没有技能被其他技能的提示触发。"),
    "skills_mixed": (
        "Skills that fire on the prompts of others:",
        "被其他技能的提示触发的技能:",
    ),
    "skill_fires_on_others": (
        "{fired} on {count} {count:plural prompt prompts} of {prompted}",
        "{fired}:被 {prompted} 的 {count} 条提示触发",
    ),
    "skill_missed": (
        "not fired: {name} on {prompt!r} (fired: {fired})",
        "未触发:{name},提示 {prompt!r}(触发了:{fired})",
    ),
    "skill_false_alarm": (
        "should not fire on {prompt!r}: {fired}",
        "不应被 {prompt!r} 触发:{fired}",
    ),
    "subagent_hidden": ("hidden", "隐藏"),
    "subagent_unknown": (
        "There is no sub-agent {name!r}. `dataagent agents list` names those that are there.",
        "没有子智能体 {name!r}。`dataagent agents list` 会列出现有的子智能体。",
    ),
    "subagent_broken": (
        "The sub-agent {name!r} cannot be used until its file is corrected.",
        "子智能体 {name!r} 的文件改正之前无法使用。",
    ),
    "subagent_description": (
        "What this sub-agent does, and when it is the right one.",
        "此子智能体做什么,以及何时应选择它。",
    ),
    "subagent_made": ("wrote {path}", "已写入 {path}"),
    "subagent_made_next": (
        "fill it in; in a conversation, @{name} asks for it",
        "填写内容后,在对话中用 @{name} 点名使用",
    ),
    "subagent_exists": (
        "{path} is already there: choose another name, or change that file.",
        "{path} 已存在:请换一个名称,或修改该文件。",
    ),
    "repl_subagent": ("sub-agent", "子智能体"),
    "command_skill_pick": ("Use a skill in the next message", "在下一条消息中使用技能"),
    "command_skill_use": ("Use the skill {name}: ", "使用技能 {name}:"),
    "command_skill_unknown": (
        "There is no skill {name!r}. /skills lists those that are there.",
        "没有技能 {name!r}。/skills 会列出现有的技能。",
    ),
    "command_no_skills_remote": (
        "there are no skills at {server}.",
        "{server} 上没有技能。",
    ),
    "command_subagent_unknown": (
        "There is no sub-agent {name!r}. /agents lists those that are there.",
        "没有子智能体 {name!r}。/agents 会列出现有的子智能体。",
    ),
    "command_broken.skills": (
        "broken skills: {count}; `{dataagent} skills validate` says what is wrong",
        "无法使用的技能:{count} 个;`{dataagent} skills validate` 会说明原因",
    ),
    "command_broken.agents": (
        "broken sub-agents: {count}; `{dataagent} agents list` says what is wrong",
        "无法使用的子智能体:{count} 个;`{dataagent} agents list` 会说明原因",
    ),
    "command_no_subagents": ("there are no sub-agents.", "没有子智能体。"),
    "command_agents_how": (
        "@NAME in a message asks for one, /agents NAME shows it; `{dataagent} agents new` adds one",
        "在消息中用 @NAME 点名;/agents NAME 查看;新建:`{dataagent} agents new NAME`",
    ),
    "command_agents_how_remote": (
        "@NAME in a message asks for one; /agents NAME shows it",
        "在消息中用 @NAME 点名;/agents NAME 查看",
    ),
}

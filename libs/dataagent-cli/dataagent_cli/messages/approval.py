"""Sentences of questions to the person, and the verbs of tools: English, Chinese."""

APPROVAL_TEXTS: dict[str, tuple[str, str]] = {
    "asks": ("{tool} asks for your approval", "{tool} 请求批准"),
    "asks_sub": ("{tool} ({subagent}) asks for your approval", "{tool}({subagent})请求批准"),
    "asks_for_task": ("for the task: {task}", "任务:{task}"),
    "question_sub": ("{question} ({subagent})", "{question}({subagent})"),
    "choices": (
        (
            "[y] yes, once   [a] always in this session   [p] always in this project\n"
            "[e] edit   [n] no, because ...   [r] reject and end the run"
        ),
        (
            "[y] 允许一次   [a] 本会话始终允许   [p] 本项目始终允许\n"
            "[e] 修改参数   [n] 不,原因是 ...   [r] 拒绝并结束任务"
        ),
    ),
    "project_not_trusted": (
        (
            "the rules of this folder are not trusted, so nothing saved here would count. Look at "
            "them and trust them first:\n"
            "  {dataagent} permissions trust\n"
            "For now, [a] allows it for the rest of this session."
        ),
        (
            "该文件夹的规则尚未被信任,保存的规则不会生效。请先查看并信任:\n"
            "  {dataagent} permissions trust\n"
            "目前可选择 [a],在本会话内始终允许。"
        ),
    ),
    "project_would_save": ("this would be added to {path}:", "将添加到 {path}:"),
    "project_sure": ("save it? [y/n] ", "保存?[y/n] "),
    "view_all": ("[v] view all {count} lines", "[v] 查看全部 {count} 行"),
    "choice": ("your choice: ", "请选择:"),
    "why_not": ("why not: ", "原因:"),
    "new_args": ("new arguments, as JSON in one line: ", "新的参数(一行 JSON):"),
    "bad_args": ("these are not arguments: {problem}", "参数无效:{problem}"),
    "bad_choice": ("please answer y, a, p, e, n or r", "请输入 y、a、p、e、n 或 r"),
    "nobody": ("nobody is there to approve {tool}.", "没有人可以批准 {tool}。"),
    "nobody_answers": ("nobody is there to answer the question.", "没有人可以回答问题。"),
    "question.clarification": ("the agent asks", "智能体提问"),
    "question.decision": ("the agent lets you decide", "请你决定"),
    "question.doom_loop": ("the agent repeats itself", "智能体在重复同一操作"),
    "recommended": ("(recommended)", "(推荐)"),
    "plan_way.Accept, ask me first": ("Accept, ask me first", "接受,先问我"),
    "plan_way.Accept, ask me first.about": (
        "Carry it out; what the rules ask about is asked.",
        "执行计划;规则要求询问的操作会先询问。",
    ),
    "plan_way.Accept, go ahead": ("Accept, go ahead", "接受,直接执行"),
    "plan_way.Accept, go ahead.about": (
        "Carry it out by yourself, within the rules.",
        "在规则之内自行执行。",
    ),
    "plan_way.Go ahead": ("Go ahead", "按计划执行"),
    "plan_way.Go ahead.about": ("Carry out the steps as they stand.", "按现有步骤执行。"),
    "plan_way.Add a check first": ("Add a check first", "先加一步检查"),
    "plan_way.Add a check first.about": (
        "A step that checks the data comes before the others.",
        "在其他步骤之前先检查数据。",
    ),
    "plan_way.Work without a plan": ("Work without a plan", "不使用计划"),
    "plan_way.Work without a plan.about": (
        "Go about it step by step, without one.",
        "不制定计划,逐步处理。",
    ),
    "pattern_way.Do it that way": ("Do it that way", "按以往的做法"),
    "pattern_way.Do it that way.about": (
        "Take over its steps, tools and decisions.",
        "沿用其步骤、工具和决定。",
    ),
    "pattern_way.Work it out anew": ("Work it out anew", "重新处理"),
    "pattern_way.Work it out anew.about": (
        "Leave it, and work it out anew.",
        "不沿用,重新处理。",
    ),
    "plan_way.Continue": ("Continue", "继续"),
    "plan_way.Continue.about": ("Do this step.", "执行此步骤。"),
    "plan_way.Skip this step": ("Skip this step", "跳过此步骤"),
    "plan_way.Skip this step.about": ("Go on without it.", "不执行此步骤,继续进行。"),
    "plan_way.Keep planning": ("Keep planning", "继续规划"),
    "plan_way.Keep planning.about": (
        "Nothing is changed yet; say what should be different.",
        "尚未做任何更改;请说明需要怎样调整。",
    ),
    "answer_how": ("a number, or your own words", "输入编号,或直接回答"),
    "answer_how_several": (
        "numbers with commas between them, such as 1, 2, or your own words",
        "输入一个或多个编号(用逗号分隔,如 1, 2),或直接回答",
    ),
    "bad_number": (
        "please answer with a number from 1 to {count}, or with words",
        "请输入 1 到 {count} 之间的编号,或用文字回答",
    ),
    "answer": ("your answer: ", "你的回答:"),
    "bad_answer": ("please answer with a number or a text", "请输入编号或文字"),
    "demo_approves": ("approved by the demo itself: {action}", "演示自动批准:{action}"),
    "verb.ls": ("list", "列出"),
    "verb.read_file": ("read", "读取"),
    "verb.write_file": ("write", "写入"),
    "verb.edit_file": ("edit", "修改"),
    "verb.delete": ("delete", "删除"),
    "verb.glob": ("find", "查找"),
    "verb.grep": ("search", "搜索"),
    "verb.task": ("delegate", "委派"),
    "verb.start_task": ("start in the background:", "后台启动:"),
    "verb.check_task": ("check background tasks", "查看后台任务"),
    "verb.cancel_task": ("cancel background task", "取消后台任务"),
    "verb.write_todos": ("plan", "计划"),
    "verb.question": ("question:", "问题:"),
}

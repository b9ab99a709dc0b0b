"""Sentences about the mode of a session."""

MODE_TEXTS: dict[str, tuple[str, str]] = {
    "mode.ask": ("mode: ask", "模式:询问"),
    "mode.plan": (
        "mode: plan (nothing is changed; ends with a plan to accept)",
        "模式:计划(不做任何更改,最后提交一份计划等待接受)",
    ),
    "mode.auto": ("mode: auto (within the rules)", "模式:自动(在规则之内)"),
    "waits_with_a_plan": (
        (
            "the plan waits for your answer; nothing was changed. Accept it, or say what should\n"
            "be different, in a terminal with\n"
            "  {dataagent} run --resume {session}"
        ),
        (
            "计划正等待您的答复,尚未做任何更改。请在终端中接受或提出修改:\n"
            "  {dataagent} run --resume {session}"
        ),
    ),
}

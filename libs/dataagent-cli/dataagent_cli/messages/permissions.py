"""Sentences of `dataagent permissions`: English, Chinese."""

PERMISSION_TEXTS: dict[str, tuple[str, str]] = {
    "no_rules": (
        (
            "no rules of your own; the defaults count. Add one with\n"
            '  {dataagent} permissions add deny shell "git push *"'
        ),
        (
            "没有自定义规则,使用默认规则。添加:\n"
            '  {dataagent} permissions add deny shell "git push *"'
        ),
    ),
    "col.number": ("number", "编号"),
    "col.action": ("action", "动作"),
    "col.tool": ("tool", "工具"),
    "col.resource": ("resource", "资源"),
    "project_untrusted": (
        "the folder's rules only tighten until you trust them: {dataagent} permissions trust",
        "在你信任之前,该文件夹的规则只能收紧权限:{dataagent} permissions trust",
    ),
    "rule_added": ("added to {path}: {rule}", "已添加到 {path}:{rule}"),
    "rule_already": ("{path} already says so: {rule}", "{path} 中已有该规则:{rule}"),
    "rule_removed": ("removed from {path}: {rule}", "已从 {path} 删除:{rule}"),
    "folder_trusted": (
        "the rules of {path} count like your own until they change",
        "{path} 的规则现与你自己的规则同等有效,直到其内容改变",
    ),
    "folder_distrusted": ("the rules of {path} only tighten now", "{path} 的规则现在只能收紧权限"),
    "held_taken": ("{path} is in its place now", "{path} 已写入"),
    "held_none": ("no change is held back in {path}", "{path} 中没有被扣留的修改"),
    "env_withheld": (
        (
            "not taken from the .env of this directory, which you have not trusted: {shown}. "
            "`dataagent permissions trust` takes it."
        ),
        "未采用此目录 .env 中的设置(尚未信任):{shown}。运行 `dataagent permissions trust` 以采用。",
    ),
    "env_trusted": (
        "its .env counts until these values change: {shown}",
        "其 .env 有效,直到这些值改变:{shown}",
    ),
    "env_distrusted": ("not taken from its .env: {shown}", "不采用其 .env 中的:{shown}"),
    "registries_allowed": (
        "commands in {path} reach {hosts}, and no other host",
        "{path} 中的命令只能访问 {hosts}",
    ),
    "registries_none": ("commands in {path} reach no host", "{path} 中的命令不能访问网络"),
    "decision.allow": ("allowed: {reason}", "允许:{reason:translated}"),
    "decision.ask": ("asked about: {reason}", "需要询问:{reason:translated}"),
    "decision.deny": ("denied: {reason}", "拒绝:{reason:translated}"),
    "always_saves": ("always would allow: {rule}", "选择“始终允许”将添加:{rule}"),
    "always_nothing": (
        "no rule can cover it: it is asked about every time",
        "没有规则可以涵盖此操作:每次都会询问",
    ),
}

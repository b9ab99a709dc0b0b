"""The words that distinguish statements about data from others, English and Chinese.

All patterns match folded text (`figures/text_folds.py`), except `CODE`.
"""

import re

# A condition or an example: nothing in its sentence is stated.
SUPPOSES = re.compile(
    r"\b(?:if(?! you(?:'d| would)? (?:want|need|like|wish|prefer))|suppose|imagine|assume|"
    r"e\.g|for (?:example|instance)|example|hypothetical\w*|placeholder|do you mean|formula|"
    r"rule of thumb|as a rule|industry|benchmark)\b"
    r"|如果|假如|假设|例如|比如|举例|行业|请问|请提供|是否|示例"
)
# A wish, a limit, a rule, a meaning: what stands behind it and in its own clause is not stated.
STATES_NOTHING = re.compile(
    r"\b(?:might|can(?! see)|could|would|should|shall|must|need(?:s|ed)?|"
    r"say,|let's|please(?! (?:note|see|find))|"
    r"up to|at most|at least|no more than|no fewer than|limit(?:s|ed)?|maximum of|minimum of|"
    r"often|usually|typical(?:ly)?|generally|considered|commonly|"
    r"suits?|works? (?:best|up)|which period|"
    r"(?<!which )(?<!this )(?<!that )means|stands? for|refers? to)\b"
    # Not the month.
    r"|(?<!in )(?<!of )(?<!for )(?<!last )\bmay (?!was|is|had|saw|brought|and|to)[a-z]"
    r"|可以|需要|应该|建议|最多|至多|至少|不超过|上限|通常|一般|往往"
)
# Where a new statement begins, and where the clause of a figure ends.
TURN = re.compile(r"\b(?:but|while|whereas|although|though|because|however)\b|而|但|因为")
CLAUSE_END = re.compile(r",(?!\d)|[、;()]|\b(?:and|so|but|while|whereas|although|because)\b|而|但")
# Talk about programs and machines.
TECHNICAL = re.compile(
    r"\b(?:quer(?:y|ies)|approv\w+|(?:the|a|this|each|per) run|requests?|api|https?|port \d+|"
    r"on port|tokens?|time(?:out|d out)|uploads?|install\w*|servers?|memory|exit code|attempts?|"
    r"retr(?:y|ies|ied)|connection|version|bytes|[kmg]i?b|milliseconds|\d ?ms|cpu|threads?|commit|"
    r"tests? (?:pass|fail)\w*|listens)\b"
    r"|端口|版本|超时|重试|内存|连接|请求|线程|安装|步骤"
)
# Talk about code: an amount in it is of the code, unless it names what business measures.
CODE_TALK = re.compile(
    r"\b(?:functions?|class(?:es)?|bugs?|code|codebase|modules?|files?|folders?|builds?|"
    r"pages?|pagination|\d lines|lines of code|inserts?|"
    r"compil\w+|refactor\w*|lint\w*|regex|loops?|arrays?|latency|benchmarks?|tests?|scripts?|"
    r"readme|deploy\w*|container|docker|css|html|pixels?|config\w*|settings?|"
    r"the logs?|log files?|errors?|git|branch|merge[ds]?|sql|index(?:es)?|cache|"
    r"schema|parser|endpoint)\b"
    r"|代码|函数|文件|测试|脚本|日志|报错"
)
ASKS = re.compile(r"[?\uff1f]|吗[。\s]*\Z")
ROWS = re.compile(
    r"[\s*_`]*(?:\w+ )?(?:rows?|records?|entries|tables?|duplicates?)\b|[\s*_`]*(?:行|条|张表|个表)"
)
OWN_DATA = re.compile(
    r"\b(?:our|ours|my|mine|we|us)\b|[我咱]们?的?|本公司|公司的"
    r"|\b[\w-]+\.(?:csv|tsv|xlsx?|parquet|duckdb|sqlite|db)\b"
)
# How-to questions and questions of meaning are not about values.
HOW_TO = re.compile(
    r"\A\s*(?:how (?:do|can|should|would|could) (?:i|you|one|we)\b|how (?:to|large may)\b"
    r"|how (?:does|do) .{1,60} work|how is .{1,60} (?:computed|calculated|defined)"
    r"|what (?:does|is an?|are the steps)\b|what do .{1,60} mean"
    r"|which (?:chart|port|version|tool|command)\b)"
    # Not 收入如何, which asks for a value.
    r"|怎么[算写做用装]|如何(?!变化|发展|表现|\W*\Z)|什么是|是什么意思"
)
# Instructions to make or change something; some of them ask for a value all the same.
TASK = re.compile(
    r"\A\s*(?:write|plan|fix|add|implement|rename|refactor|move|set|explain)\b|写一[个条]"
)
TASK_OF_VALUES = re.compile(
    r"\A\s*(?:add up|set out|write (?:up|out|down)"
    r"|write (?:me )?(?:an? |the )?(?:\w+ )?(?:summary|report|overview|paragraph|review)"
    r"|explain (?:why|what (?:drove|caused|happened)"
    r"|(?:the|this|that) (?:\w+ )?(?:drop|fall|dip|decline|decrease|rise|increase|growth|jump|"
    r"change|trend)))\b"
    r"|写一[个条][^,。]{0,6}(?:总结|报告|概述|小结|分析)"
)
# Tasks on the person's own data that are no plans, no texts for others, and no "add A to B".
TASK_ON_DATA = re.compile(r"\A\s*(?:(?:explain|fix)\b|(?:add|set|move)\b(?!.*\bto\b))")
# What such an instruction is about when it is not about values.
TASK_ON_DESIGN = re.compile(
    r"\b(?:columns?|tables?|fields?|formulas?|definitions?|polic(?:y|ies)|rules?|process(?:es)?|"
    r"terms?|charts?|dashboards?|alerts?)\b|字段|[列表](?!现)|公式|政策|规则|流程|查询|语句"
)
# An answer that says what a measure of the person's is, whatever was asked.
OF_THE_PERSON = re.compile(
    r"\b(?:your|our)\b[^,;]{1,60}?\b(?:is|are|was|were|rose|fell|grew|dropped|reached|stands?|"
    r"stood|comes?|came|totals?|totalled|increased|decreased|has|had)\b"
    r"|(?:[你您]们?的|贵公司|我们的)[^,]{1,20}[为是达有增降升]"
)
# Questions that ask for a value.
ASKS_VALUE = re.compile(
    r"\bhow (?:many|much|often|(?:[a-z]+ )?(?:is|are|was|were|do|does|did|has|have))\b"
    r"|\b(?:averages?|mean|median|share|rate|top|best|worst|most|least|highest|lowest|largest|smallest|"
    r"total|number of|compare|our|"
    r"which)\b"
    r"|多少|几(?=[个天次人件])|平均|占比|哪[个条家些]|最[高低多少]"
)
# A rate that Chinese says of something measured, not of money or machines.
RATE = re.compile(r"[\u4e00-\u9fff](?<![税汇利概频效])率")
WORD = re.compile(r"[a-z]{4,}|[\u4e00-\u9fff]{2}")
CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)

"""Rules that are handed in with a run count where their source counts."""

from dataagent_core.permissions import Rule, RuleSet
from dataagent_core.permissions.decision import evaluate
from dataagent_core.permissions.request import request_about

ALLOW = Rule("shell", "git push *", "allow", "session")
DENY = Rule("shell", "git push *", "deny", "person")


def test_a_persons_deny_holds_whatever_was_allowed_and_is_added_to_their_file():
    file = (Rule("shell", "ls", "ask", "person"),)
    rules = RuleSet(person=file).with_kept([DENY, ALLOW])
    assert rules.person == (*file, DENY)
    assert rules.session == (ALLOW,)
    push = request_about("shell", "git push origin main")
    assert evaluate(push, rules).action == "deny"
    assert evaluate(push, RuleSet().with_kept([ALLOW])).action == "allow"


def test_a_subject_is_what_the_tool_is_about():
    assert request_about("shell", "ls").command == "ls"
    assert request_about("write_file", "a.txt").resource == "/a.txt"
    assert request_about("sql_query", "shop").resource == "shop"
    assert request_about("fetch_url", "https://a.example/x").resource == "a.example"
    assert request_about("web_search", "cats").resource == ""

"""Rules that are handed in with a run count where their source counts."""

from dataagent_core.permissions import Rule, RuleSet
from dataagent_core.permissions.decision import evaluate
from dataagent_core.permissions.request import make_request

ALLOW = Rule("shell", "git push *", "allow", "session")
DENY = Rule("shell", "git push *", "deny", "person")


def test_a_persons_deny_holds_whatever_was_allowed_and_is_added_to_their_file():
    file = (Rule("shell", "ls", "ask", "person"),)
    rules = RuleSet(person=file).with_kept([DENY, ALLOW])
    assert rules.person == (*file, DENY)
    assert rules.session == (ALLOW,)
    push = make_request("shell", "git push origin main")
    assert evaluate(push, rules).action == "deny"
    assert evaluate(push, RuleSet().with_kept([ALLOW])).action == "allow"


def test_a_subject_is_what_the_tool_is_about():
    assert make_request("shell", "ls").command == "ls"
    assert make_request("write_file", "a.txt").resource == "/a.txt"
    assert make_request("sql_query", "shop").resource == "shop"
    assert make_request("fetch_url", "https://a.example/x").resource == "a.example"
    assert make_request("web_search", "cats").resource == ""

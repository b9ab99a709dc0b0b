"""What issue 3 promises of tools a person can trust: its numbered items, and when it is done."""

from tests.requirements.entry import Requirement

_ITEMS = {
    1: "The file tools are S2's: six strategies, nothing corrupted, stale refused, one search result.",
    2: "Output is bounded as S2 says, with its three notices; all of it is kept and can be paged.",
    3: "Every file operation has metrics and a diff, also those a command made.",
    4: "Commands run in a sandbox that proved itself, here or elsewhere; without one none runs.",
    5: "code_executor keeps one kernel a session, shows files and plots, announces lost state.",
    6: "Every open on the host stays beneath the root; on a server no links, for a person inside ones.",
    7: "Web tools check the address they dial and every redirect; size and time are capped.",
    8: "Rules allow, ask or deny; shell lines are read as bash reads them; what is unknown is asked.",
    9: "The third equal call within a minute is stopped before it runs; a replay does not count.",
    10: "A call whose outcome is unknown runs again only if it may, else a person hears what is known.",
    11: "Tools pass validation and hooks; schemas are loaded by choice; compositions run to their rules.",
    12: "ask_clarification and ask_decision reach a person as S2 says.",
    13: "After words of a stranger, sending out asks even where a rule allows it.",
}

_DONE_WHEN = {
    "edit-span": "An edit changes only the matched span, for any text.",
    "truncation": "Truncation never splits a character, for any text.",
    "equivalent-writings": "Equivalent writings of a command are decided alike; the unknown is asked.",
    "renamer": "No path reaches outside under a concurrent renamer, and the naive way does.",
    "kill-each-effect": "Killed between intent and outcome, nothing irreversible runs twice.",
    "escapes": "The listed escapes from workspace and sandbox are tried and refused.",
    "doctor": "`dataagent doctor` reports the sandbox.",
    "explain": "`dataagent permissions` lists, adds, removes and explains.",
}


F3: tuple[Requirement, ...] = (
    *(Requirement(f"F3-{number}", text) for number, text in _ITEMS.items()),
    *(Requirement(f"F3-{name}", text) for name, text in _DONE_WHEN.items()),
)

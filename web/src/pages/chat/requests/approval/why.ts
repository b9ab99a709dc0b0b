/** The server's note on why a person is asked, as a sentence. Pure. */
import type { Say } from "@/i18n";
import type { whyTexts } from "@/pages/chat/requests/approval/why.texts";

type Key = keyof typeof whyTexts.en;

const EXTERNAL = String.raw`, and this conversation holds external content \(from (?<from>.+)\)\.$`;
const RULE = String.raw`(?:allow|ask|deny) (?<tool>\S+) (?<resource>'.*'|".*") \((?<source>\w+)\)$`;

/** The first that fits counts; `rule` and `why` are made of the other parts. */
const NOTES: readonly [RegExp, Key | ((found: Found) => Key)][] = [
  [/^default: commands ask$/, "commands"],
  [/^default: (?<tool>\S+) asks$/, "tool"],
  [new RegExp(`^rule: ${RULE}`, "s"), ({ source }) => RULES[source ?? ""] ?? "rule_maybe"],
  [new RegExp(`^it may be what a rule is about: ${RULE}`, "s"), "rule_maybe"],
  [/^asked: (?<tool>\S+) has changed since it was allowed; look at it again$/, "changed"],
  [/^(?<tool>\S+) has changed since you answered; look at it again\.$/, "changed_since"],
  [new RegExp(`^(?<tool>\\S+) hands its arguments to an MCP server${EXTERNAL}`), "external_mcp"],
  [
    new RegExp(`^(?<tool>\\S+) may reach the network or files outside the workspace${EXTERNAL}`),
    "external_network",
  ],
  [new RegExp(`^(?<tool>\\S+) may change something outside the workspace${EXTERNAL}`), "external_change"],
  [new RegExp(`^(?<tool>\\S+) goes to (?<host>\\S+), which you did not name${EXTERNAL}`), "external_host"],
  [
    new RegExp(`^(?<tool>\\S+) goes to an address whose host cannot be told \\((?<address>.*)\\)${EXTERNAL}`),
    "external_address",
  ],
  [/^the engine expects this query to go through about (?<rows>[\d,]+) rows$/, "rows"],
  [/^the engine expects this query to cost (?<cost>[\d,]+) of its units$/, "cost"],
  [/^it reads (?<source>'.*?'|".*?"): (?<rest>.+)$/s, "reads"],
  [/^(?<tool>\S+) was called with the same arguments again and again\.$/, "again"],
  [
    /^The MCP server (?:'.*?'|".*?") wants the model to answer this in the middle of (?<call>'.*?'|".*?"), at this/s,
    "sampling",
  ],
  [/^asked: (?<doubt>.+)$/s, "doubt"],
];

type Found = Partial<Record<string, string>>;
const RULES: Partial<Record<string, Key>> = {
  operator: "rule_operator",
  person: "rule_person",
  project: "rule_project",
  session: "rule_session",
};

export function whyAsked(reason: string, t: Say<Key>): string {
  for (const [pattern, key] of NOTES) {
    const match = pattern.exec(reason);
    if (!match) continue;
    const found: Found = match.groups ?? {};
    return t(typeof key === "string" ? key : key(found), parts(found, t));
  }
  return t("other", { reason });
}

function parts({ resource, source, rest, ...plain }: Found, t: Say<Key>): Record<string, string> {
  return {
    ...(plain as Record<string, string>),
    ...(source === undefined ? {} : { source: unquoted(source) }),
    ...(resource === undefined ? {} : { rule: `${plain.tool} ${unquoted(resource)}` }),
    ...(rest === undefined ? {} : { why: whyAsked(rest, t) }),
  };
}

/** Python quotes with either mark. */
const unquoted = (text: string): string => text.replace(/^(['"])(.*)\1$/s, "$2").replace(/\\([\\'"])/g, "$1");

/** What a request is about, in one line: who wants it, what it is, by which tool, of which server. */
import { actionOf, type Action, type HumanRequest } from "@/pages/chat/requests/answer/answers";
import { cameFrom, effectOf } from "@/pages/chat/requests/effects/effect";
import { isPatternOffer, isPlan, isPlanApproval } from "@/pages/chat/requests/plan";
import type { requestTexts } from "@/pages/chat/requests/texts";
import type { Say } from "@/i18n";

type Words = Say<keyof typeof requestTexts.en>;

export function titleOf(request: HumanRequest, tenantId: string, t: Words): string {
  const action = actionOf(request);
  switch (request.kind) {
    case "approval":
      return approvalTitle(action, tenantId, t);
    case "doom_loop":
      return t("loop", { tool: named(action.name, tenantId, t) });
    case "budget":
      return t("budget");
    case "elicitation":
      return t("form");
    case "oauth":
      return t("sign_in", { server: String(action.args.server ?? "") });
    case "clarification":
    case "decision":
      if (isPlanApproval(request)) return t("work_plan");
      if (isPatternOffer(request)) return t("pattern");
      return t(isPlan(request) ? "plan" : "dock");
    default:
      return request.kind satisfies never;
  }
}

function approvalTitle({ name, args, subagent }: Action, tenantId: string, t: Words): string {
  const who = subagent ?? t("agent");
  const effect = effectOf(name, args);
  switch (effect.kind) {
    case "command":
    case "code":
    case "sql":
      return t(`wants_${effect.kind}`, { who, tool: name });
    case "write":
    case "edit":
    case "delete":
      return t(`wants_${effect.kind}`, { who, path: effect.path, tool: name });
    case "sampling":
      return t("wants_model", { server: effect.server });
    case "other":
      return t("wants", { who, tool: named(name, tenantId, t) });
    default:
      return effect satisfies never;
  }
}

function named(tool: string, tenantId: string, t: Words): string {
  const from = cameFrom(tool, tenantId);
  return from ? t("tool_of", from) : tool;
}

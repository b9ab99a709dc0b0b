/** What a conversation shows, in the form of core's export, to compare both. */
import type { Conversation, Item } from "@/stream/conversation";
import type { Step, Turn } from "@/stream/testing/recorded";

export function told(conversation: Conversation): Turn[] {
  return Object.values(conversation.runs).map((run) => ({
    model: run.model,
    reason: run.reason,
    steps: conversation.items.filter((item) => item.runId === run.runId).flatMap(steps),
  }));
}

function steps(item: Item): Step[] {
  switch (item.kind) {
    case "text":
      if (item.text.trim() === "") return [];
      return [{ kind: "Said", text: item.text, unsourced: item.unsourced.length }];
    case "call": {
      if (item.void) return [];
      const { status, result } = item.result ?? { status: "no result", result: null };
      const subagent = item.subagent ?? "";
      return [{ kind: "Called", name: item.tool, args: item.args, subagent, status, result }, ...changes(item.files)];
    }
    case "file":
      return changes([item.change]);
    case "request": {
      if (!item.answer || item.answer.superseded) return [];
      const { type, answer, message } = item.answer.decision;
      const decision = [type, answer, message].filter(Boolean).join(": ");
      return [{ kind: "Asked", decision }];
    }
    case "notice":
      return item.event.event_type === "error" ? [{ kind: "Failed", text: item.event.error }] : [];
    default:
      return [];
  }
}

const changes = (files: { operation: string; file_path: string; diff?: string | null }[]): Step[] =>
  files
    .filter((each) => each.operation !== "read")
    .map((each) => ({
      kind: "Changed",
      operation: each.operation,
      path: each.file_path,
      diff: each.diff ?? null,
    }));

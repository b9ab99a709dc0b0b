/**
 * What a conversation shows, row by row: calls that stand together are one row, a sub-agent's calls
 * are inside its task, and calls that show otherwise (the plan, the questions) are left out. Pure.
 */
import { isShown as isShownPlan } from "@/pages/chat/plan/shown";
import { TaskBook } from "@/pages/chat/transcript/tasks";
import type { AgentItem, CallItem, Conversation, Item, Run, StartItem } from "@/stream/conversation";

/** One run of a sub-agent. */
export interface Task {
  key: number;
  /** Null in logs that do not name the run. */
  id: string | null;
  /** The call that delegated; null where the router chose the sub-agent. */
  call: CallItem | null;
  agent: AgentItem | null;
  /** What it did. */
  rows: Row[];
}

type ItemRow = Exclude<Item, StartItem | CallItem>;

export type Row =
  | { kind: "message"; key: number; start: StartItem }
  | { kind: "calls"; key: number; calls: CallItem[] }
  | { kind: "tasks"; key: number; tasks: Task[]; shared: CallItem[] }
  | { kind: "item"; key: number; item: ItemRow; run: Run | null };

/** These show otherwise: in the plan, or as a request and its answer. */
const SILENT = new Set([
  "write_todos",
  "propose_plan",
  "plan_enter",
  "plan_question",
  "finish_step",
  "ask_clarification",
  "ask_decision",
]);

export function rowsOf({ items, runs }: Pick<Conversation, "items" | "runs">): Row[] {
  const rows: Row[] = [];
  const tasks = new TaskBook(rows);
  let before: Item | null = null;
  for (const item of items) {
    if (item.kind === "start") rows.push({ kind: "message", key: item.key, start: item });
    else if (item.kind === "call") addCall(tasks, item);
    else if (!tasks.tell(item) && isShown(item, before, rows)) {
      const run = item.kind === "end" ? (runs[item.runId] ?? null) : null;
      tasks.placeOf(item).push({ kind: "item", key: item.key, item, run });
    }
    before = item;
  }
  return rows;
}

/** A skill that was loaded by its name is told in the line of its event. */
const isSilent = ({ tool, args }: CallItem): boolean =>
  SILENT.has(tool) || (tool === "skill" && typeof args.name === "string" && args.name !== "");

function addCall(tasks: TaskBook, call: CallItem): void {
  if (call.void || (isSilent(call) && (call.result === null || call.result.status === "success"))) return;
  if (tasks.delegate(call)) return;
  if (call.subagentId === null && call.subagent !== null && addToTask(tasks.rows, call)) return;
  addToCalls(tasks.placeOf(call), call);
}

function addToCalls(rows: Row[], call: CallItem): void {
  const last = rows.at(-1);
  if (last?.kind === "calls" && !last.calls.some(makesFiles) && !makesFiles(call)) last.calls.push(call);
  else rows.push({ kind: "calls", key: call.key, calls: [call] });
}

/** A chart or a report is to be seen: its call stands alone and is never folded away with others. */
export const makesFiles = (call: CallItem): boolean => (call.result?.artifacts.length ?? 0) > 0;

function addToTask(rows: Row[], call: CallItem): boolean {
  for (let at = rows.length - 1; at >= 0; at -= 1) {
    const row = rows[at] as Row;
    if (row.kind === "message") return false;
    if (row.kind !== "tasks") continue;
    const named = row.tasks.filter((task) => task.call?.args.subagent_type === call.subagent);
    const atWork = named.filter((task) => !task.call?.result || task.call.result.timestamp >= call.at);
    const [task, ...others] = atWork.length > 0 ? atWork : named;
    if (!task) continue;
    // Without ids two of the same name cannot be distinguished: either may have made the call.
    if (others.length > 0) row.shared.push(call);
    else addToCalls(task.rows, call);
    return true;
  }
  return false;
}

function isShown(item: ItemRow, before: Item | null, rows: readonly Row[]): boolean {
  if (item.kind === "text") return item.text.trim() !== "";
  if (item.kind === "plan") return isShownPlan(item.plan);
  // What was known before is no news.
  if (item.kind === "memory") return item.event.change !== "merged";
  // A skill that fits is not news until it is used.
  if (item.kind === "agent" && item.event.event_type === "skill") return item.event.phase !== "matched";
  if (item.kind === "agent" && item.event.event_type === "subagent") {
    const { name } = item.event;
    return !rows.some((row) => row.kind === "tasks" && row.tasks.some(({ call }) => call?.args.subagent_type === name));
  }
  // A server parks a run at its question and resumes it with the answer: nothing was interrupted.
  if (item.kind === "notice" && item.event.event_type === "resumed") {
    return !(before?.kind === "request" && before.answer !== null);
  }
  return true;
}

/** Whether a row shows the same as before, so that it need not be drawn again. */
export function sameRow(a: Row, b: Row): boolean {
  if (a.kind === "message" && b.kind === "message") return a.start === b.start;
  if (a.kind === "item" && b.kind === "item") return a.item === b.item && a.run === b.run;
  if (a.kind === "calls" && b.kind === "calls") return sameCalls(a.calls, b.calls);
  if (a.kind === "tasks" && b.kind === "tasks") {
    return (
      a.tasks.length === b.tasks.length &&
      sameCalls(a.shared, b.shared) &&
      a.tasks.every((task, at) => {
        const other = b.tasks[at] as Task;
        return (
          task.call === other.call &&
          task.agent === other.agent &&
          task.rows.length === other.rows.length &&
          task.rows.every((row, place) => sameRow(row, other.rows[place] as Row))
        );
      })
    );
  }
  return false;
}

const sameCalls = (a: readonly CallItem[], b: readonly CallItem[]): boolean =>
  a.length === b.length && a.every((call, at) => call === b[at]);

export type CallStatus = "running" | "ok" | "failed" | "stopped";

/** A call whose run is over and that never got a result was stopped. */
export function callStatus(call: CallItem, activeRunId: string | null): CallStatus {
  if (call.result) return call.result.status === "success" ? "ok" : "failed";
  return call.runId === activeRunId ? "running" : "stopped";
}

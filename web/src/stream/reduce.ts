/**
 * The log, folded into a conversation. Pure: the same events give the same conversation, in whatever
 * batches they come, and an event that comes twice counts once.
 */
import type { CallItem, Conversation, Item, Plan, Run } from "@/stream/conversation";
import { addAgent, endAgents, spendOf } from "@/stream/agents";
import { discard } from "@/stream/discard";
import { subagentIdOf, type EventOf, type JsonObject, type Numbered } from "@/stream/events";
import { addPiece, close } from "@/stream/pieces";
import { planned, planRunOf, type PlanEvent } from "@/stream/plans";

/** An event is missing before this one; the reader requests again from `after`. */
export class GapError extends Error {
  readonly after: number;

  constructor(after: number, seq: number) {
    super(`event ${seq} came after ${after}`);
    this.name = "GapError";
    this.after = after;
  }
}

type Draft = { -readonly [K in keyof Conversation]: Conversation[K] } & { items: Item[] };

export function reduce(state: Conversation, events: readonly Numbered[]): Conversation {
  const fresh = events.filter((event) => event.seq > state.lastSeq);
  if (fresh.length === 0) return state;
  const draft: Draft = { ...state, items: [...state.items] };
  for (const event of fresh) {
    if (event.seq <= draft.lastSeq) continue;
    if (event.seq !== draft.lastSeq + 1) throw new GapError(draft.lastSeq, event.seq);
    draft.lastSeq = event.seq;
    apply(draft, event);
  }
  return draft;
}

const ENDS_ANNOUNCED = new Set<string>(["tool_call", "tool_result", "hitl_request", "resumed", "done"]);

function apply(draft: Draft, event: Numbered): void {
  if (ENDS_ANNOUNCED.has(event.event_type)) draft.announced = null;
  const subagentId = subagentIdOf(event);
  const base = { key: event.seq, runId: event.run_id, at: event.timestamp, subagentId };
  // A sub-agent that does something is active, whatever earlier events said.
  const isDoing = event.event_type !== "start" && event.event_type !== "done";
  if (isDoing && draft.runs[event.run_id]?.endedAt === null) draft.activeRunId = event.run_id;
  switch (event.event_type) {
    case "start":
      start(draft, event, base);
      return;
    case "text":
    case "thought":
      addPiece(draft.items, event);
      return;
    case "tool_call":
      close(draft.items, base);
      // Made again after a crash, it takes the place of the one that is void.
      draft.items = draft.items.filter((item) => item.kind !== "call" || !item.void || !isOf(event)(item));
      draft.items.push({
        ...base,
        kind: "call",
        callId: event.tool_call_id,
        tool: event.tool_name,
        args: event.tool_args as JsonObject,
        subagent: event.subagent ?? null,
        progress: null,
        result: null,
        files: [],
        void: false,
      });
      return;
    case "tool_progress":
      progress(draft, event);
      return;
    case "tool_result":
      result(draft, event, base);
      return;
    case "file_operation":
      fileOperation(draft, event, base);
      return;
    case "hitl_request":
      draft.items.push({ ...base, kind: "request", request: event, answer: null });
      draft.waiting = [...draft.waiting.filter((id) => id !== event.interrupt_id), event.interrupt_id];
      return;
    case "hitl_answer":
      change(draft, "request", (each) => each.request.interrupt_id === event.interrupt_id, (each) => ({
        ...each,
        answer: event,
      }));
      draft.waiting = draft.waiting.filter((id) => id !== event.interrupt_id);
      return;
    case "todo_update":
    case "work_plan":
    case "step_start":
    case "step_end":
      // The plan of a sub-agent is its own; the one that is shown is the agent's.
      if (subagentId === null) plan(draft, event, base);
      return;
    case "step_finish":
      // What a step of the agent itself used is in the totals that come with it.
      draft.items = spendOf(draft.items, event);
      return;
    case "cost_update":
      changeRun(draft, event.run_id, (run) => ({
        ...run,
        spent: {
          tokens: event.tokens,
          cost: event.cost ?? null,
          currency: event.currency,
          budgets: event.budgets as JsonObject[],
        },
      }));
      return;
    case "subagent":
    case "skill":
    case "pattern_match":
      draft.items = addAgent(draft.items, event, base);
      return;
    case "memory_recalled":
      // They are shown under the answer, at the end of its run.
      changeRun(draft, event.run_id, (run) => ({
        ...run,
        recalled: [...new Set([...run.recalled, ...memoryIds(event.memories)])],
      }));
      return;
    case "memory_changed":
      draft.items.push({ ...base, kind: "memory", event });
      return;
    case "mode_changed":
      draft.mode = event.mode;
      draft.items.push({ ...base, kind: "notice", event });
      return;
    case "resumed":
      draft.items = discard(draft.items, event.run_id, event.discard_after);
      changeRun(draft, event.run_id, (run) => ({ ...run, attempt: event.attempt }));
      draft.activeRunId = event.run_id;
      draft.items.push({ ...base, kind: "notice", event });
      return;
    case "warning":
    case "error":
    case "retry":
    case "context_compressed":
      draft.items.push({ ...base, kind: "notice", event });
      return;
    case "feedback":
      // Of a run that is over, so it stands at its end, wherever in the log it was said.
      changeRun(draft, event.target_run_id, (run) => ({
        ...run,
        feedback: { ...run.feedback, [event.by ?? ""]: { rating: event.rating, correction: event.correction } },
      }));
      return;
    case "done":
      done(draft, event, base);
      return;
    default:
      event satisfies never;
  }
}

type Start = Pick<Item, "key" | "runId" | "at" | "subagentId">;

function start(draft: Draft, event: EventOf<"start">, base: Start): void {
  draft.items.push({
    ...base,
    kind: "start",
    messageId: event.message_id,
    model: event.model,
    assistantId: event.assistant_id,
  });
  draft.runs = {
    ...draft.runs,
    [base.runId]: {
      runId: base.runId,
      messageId: event.message_id,
      model: event.model,
      startedAt: event.timestamp,
      endedAt: null,
      reason: null,
      spent: null,
      attempt: 1,
      feedback: {},
      recalled: [],
    },
  };
  draft.mode = event.mode;
  // Perhaps one that is withdrawn from the queue; a run that works takes the place (`apply`).
  if (draft.activeRunId !== null) return;
  draft.activeRunId = base.runId;
  draft.plan = null;
}

function progress(draft: Draft, event: EventOf<"tool_progress">): void {
  const { progress: done, total = null, message } = event;
  const running = (call: CallItem): boolean => isOf(event)(call) && call.result === null;
  const found = change(draft, "call", running, (call) => ({ ...call, progress: { done, total, message } }));
  if (!found) draft.announced = message;
}

function result(draft: Draft, event: EventOf<"tool_result">, base: Start): void {
  const found = change(draft, "call", isOf(event), (call) => ({
    ...call,
    result: event,
    progress: null,
    void: false,
  }));
  if (found) return;
  // A call that was answered without being shown: refused before it began.
  draft.items.push({
    ...base,
    kind: "call",
    callId: event.tool_call_id,
    tool: event.tool_name,
    args: {},
    subagent: null,
    progress: null,
    result: event,
    files: [],
    void: false,
  });
}

/** Models of two sub-agents may give the same id to calls that run at the same time. */
const isOf =
  (event: EventOf<"tool_call" | "tool_progress" | "tool_result">) =>
  (call: CallItem): boolean =>
    call.callId === event.tool_call_id && call.subagentId === subagentIdOf(event);

/** A call's file operations come together with its result, before any other call's. */
function fileOperation(draft: Draft, event: EventOf<"file_operation">, base: Start): void {
  const { operation, file_path, metrics, diff, status } = event;
  const change_ = { operation, file_path, metrics, diff, status };
  const isOwn = (item: Item) => item.runId === base.runId && item.subagentId === base.subagentId;
  const answered = draft.items.reduce(
    (last, item) => (isOwn(item) ? Math.max(last, resultSeq(item)) : last),
    0,
  );
  const found = change(draft, "call", (call) => answered > 0 && resultSeq(call) === answered, (call) => ({
    ...call,
    files: [...call.files, change_],
  }));
  if (!found) draft.items.push({ ...base, kind: "file", change: change_ });
}

const resultSeq = (item: Item): number => (item.kind === "call" && item.result?.seq) || 0;

/** A message taken out of the queue starts and ends behind the run under way, and did nothing. */
function wasWithdrawn(items: readonly Item[], event: EventOf<"done">, runId: string): boolean {
  const own = items.filter((item) => item.runId === runId);
  return event.reason === "user_cancelled" && own.length === 1 && own[0]?.kind === "start";
}

function done(draft: Draft, event: EventOf<"done">, base: Start): void {
  close(draft.items, base);
  draft.items = endAgents(draft.items, base.runId, event.timestamp);
  if (draft.activeRunId !== base.runId && wasWithdrawn(draft.items, event, base.runId)) {
    draft.items = draft.items.filter((item) => item.runId !== base.runId);
  } else {
    draft.items.push({ ...base, kind: "end", done: event });
  }
  changeRun(draft, base.runId, (run) => ({
    ...run,
    endedAt: event.timestamp,
    reason: event.reason,
  }));
  if (draft.activeRunId === base.runId) draft.activeRunId = null;
  const ofRun = new Set(
    draft.items.flatMap((item) =>
      item.kind === "request" && item.runId === base.runId ? [item.request.interrupt_id] : [],
    ),
  );
  draft.waiting = draft.waiting.filter((id) => !ofRun.has(id));
}

/** Replaces the newest item of a kind that fits; says whether there is one. */
/** The memories among what was recalled; a piece of a conversation is none. */
function memoryIds(recalled: EventOf<"memory_recalled">["memories"]): string[] {
  return recalled.filter(({ type }) => type !== "episode").map(({ id }) => String(id));
}

function change<K extends Item["kind"]>(
  draft: Draft,
  kind: K,
  fits: (item: Extract<Item, { kind: K }>) => boolean,
  changed: (item: Extract<Item, { kind: K }>) => Item,
): boolean {
  for (let at = draft.items.length - 1; at >= 0; at -= 1) {
    const item = draft.items[at] as Item;
    if (item.kind !== kind) continue;
    const typed = item as Extract<Item, { kind: K }>;
    if (!fits(typed)) continue;
    draft.items[at] = changed(typed);
    return true;
  }
  return false;
}

function changeRun(draft: Draft, runId: string, changed: (run: Run) => Run): void {
  const run = draft.runs[runId];
  if (run) draft.runs = { ...draft.runs, [runId]: changed(run) };
}

/** A plan has one item in its run; a person may change it while another run is under way. */
function plan(draft: Draft, event: PlanEvent, base: Start): void {
  const runId = planRunOf(event);
  let now: Plan | null = null;
  const isKnown = change(draft, "plan", (item) => item.runId === runId, (item) => {
    now = planned(item.plan, event);
    return now === item.plan ? item : { ...item, plan: now };
  });
  if (!isKnown) {
    now = planned(null, event);
    draft.items.push({ ...base, runId, kind: "plan", plan: now });
  }
  if (draft.plan === null || draft.plan.runId === runId || draft.activeRunId === runId) draft.plan = now;
}

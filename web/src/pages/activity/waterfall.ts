/**
 * A run's events, folded into bars over time: model turns, tool calls, sub-agents, waits for people.
 * Pure: the same events give the same bars.
 */
import type { EventOf, JsonObject, Numbered } from "@/stream/events";

export type BarKind = "model" | "tool" | "subagent" | "wait" | "retry" | "compaction";

export interface Bar {
  key: number;
  /** Of the call or the request, to find its end; empty where there is none. */
  id: string;
  kind: BarKind;
  /** A tool's, sub-agent's or request's own name; empty for what the kind names. */
  name: string;
  /** Seconds since 1970. */
  from: number;
  to: number | null;
  status: "running" | "ok" | "error" | "lost";
  /** Inside a sub-agent. */
  depth: 0 | 1;
  tokens: Record<string, number> | null;
  cost: number | null;
  /** The time of the model's first word. */
  firstAt: number | null;
  input: JsonObject | null;
  output: unknown;
}

export interface Waterfall {
  from: number;
  to: number | null;
  bars: Bar[];
  reason: EventOf<"done">["reason"] | null;
}

export function waterfallOf(events: readonly Numbered[]): Waterfall {
  const first = events[0]?.timestamp ?? 0;
  const fold = new Fold(first);
  for (const event of events) fold.take(event);
  return fold.result();
}

class Fold {
  readonly #from: number;
  readonly #bars: Bar[] = [];
  /** When the model of the agent, or of a sub-agent's task, could begin: the last thing that was not the model's. */
  readonly #free = new Map<string, number>();
  /** Their turns that are going on. */
  readonly #turns = new Map<string, Bar>();
  #to: number | null = null;
  #reason: Waterfall["reason"] = null;

  constructor(from: number) {
    this.#from = from;
  }

  take(event: Numbered): void {
    const at = event.timestamp;
    switch (event.event_type) {
      case "text":
      case "thought":
        this.#turn(event).firstAt ??= at;
        return;
      case "step_finish":
        close(this.#turn(event), at, "ok", { tokens: event.tokens, cost: event.cost });
        this.#turns.delete(workerOf(event));
        break;
      case "tool_call":
        this.#open(event, "tool", event.tool_name, { input: event.tool_args as JsonObject });
        break;
      case "tool_result":
        this.#result(event);
        break;
      case "hitl_request":
        this.#open(event, "wait", event.kind, { output: event.question ?? null, id: event.interrupt_id });
        break;
      case "hitl_answer":
        this.#end(at, "ok", (bar) => bar.id === event.interrupt_id);
        break;
      case "subagent":
        // A task in the background takes no time of this run.
        if (event.mode === "background") break;
        if (event.phase === "assigned" || event.phase === "started") this.#subagent(event);
        else this.#end(at, event.phase === "failed" ? "error" : "ok", ofSubAgent(event));
        break;
      case "retry":
        this.#failTurn(event);
        close(this.#open(event, "retry", event.reason, {}), at + event.delay_s, "error");
        break;
      case "context_compressed":
        close(this.#open(event, "compaction", "", { from: this.#freeSince(event) }), at, "ok");
        break;
      case "resumed":
        this.#lose(at);
        break;
      case "done":
        this.#finish(event);
        break;
      default:
        break; // plans, notices and totals take no time
    }
    this.#free.set(workerOf(event), at);
  }

  result(): Waterfall {
    const going = this.#to === null && this.#bars.length > 0;
    const idle = this.#bars.every((bar) => bar.to !== null);
    // Nothing else is active: the model was called, and has not answered yet.
    if (going && idle) this.#bars.push(newBar(Infinity, "model", "", this.#free.get(AGENT) ?? this.#from, {}));
    return { from: this.#from, to: this.#to, bars: this.#bars, reason: this.#reason };
  }

  #turn(event: Numbered): Bar {
    const going = this.#turns.get(workerOf(event));
    if (going) return going;
    const turn = this.#open(event, "model", "", { from: this.#freeSince(event) });
    this.#turns.set(workerOf(event), turn);
    return turn;
  }

  #freeSince(event: Numbered): number {
    return this.#free.get(workerOf(event)) ?? this.#from;
  }

  #open(event: Numbered, kind: BarKind, name: string, more: Partial<Bar>): Bar {
    const id = event.event_type === "tool_call" ? callIdOf(event) : "";
    const bar = newBar(event.seq, kind, name, event.timestamp, { id, depth: depthOf(event), ...more });
    this.#bars.push(bar);
    return bar;
  }

  /** A call counts as lost when its process ended; a late result still counts. */
  #result(event: EventOf<"tool_result"> & Numbered): void {
    const call = this.#bars.findLast(
      (bar) => bar.kind === "tool" && bar.id === callIdOf(event),
    );
    // A call that was refused before it began has a result alone.
    const bar = call ?? this.#open(event, "tool", event.tool_name, {});
    close(bar, event.timestamp, event.status === "success" ? "ok" : "error", {
      output: event.result ?? null,
    });
  }

  #subagent(event: EventOf<"subagent"> & Numbered): void {
    const going = this.#bars.some((bar) => bar.to === null && ofSubAgent(event)(bar));
    if (!going) this.#open(event, "subagent", event.name, { id: event.subagent_id ?? "", output: event.task });
  }

  #end(at: number, status: Bar["status"], fits: (bar: Bar) => boolean): void {
    const bar = this.#bars.findLast((each) => each.to === null && fits(each));
    if (bar) close(bar, at, status);
  }

  #failTurn(event: Numbered): void {
    const turn = this.#turns.get(workerOf(event));
    if (turn) close(turn, event.timestamp, "error");
    this.#turns.delete(workerOf(event));
  }

  #lose(at: number): void {
    for (const bar of this.#bars) if (bar.to === null && bar.kind !== "wait") close(bar, at, "lost");
    this.#turns.clear();
  }

  #finish(event: EventOf<"done">): void {
    const status = event.reason === "completed" ? "ok" : "lost";
    for (const bar of this.#bars) if (bar.to === null) close(bar, event.timestamp, status);
    this.#turns.clear();
    this.#to = event.timestamp;
    this.#reason = event.reason;
  }
}

const AGENT = "";

/** Who did it: a sub-agent's task, or the agent itself. */
const workerOf = (event: Numbered): string => event.subagent_id ?? AGENT;

/** An event about a task is its giver's; older logs name the sub-agent of a call only. */
function depthOf(event: Numbered): Bar["depth"] {
  if (event.event_type === "subagent") return event.parent_id ? 1 : 0;
  return event.subagent_id || (event.event_type === "tool_call" && event.subagent) ? 1 : 0;
}

/** Models of two sub-agents may give the same id to calls that run at the same time. */
const callIdOf = ({ subagent_id, tool_call_id }: EventOf<"tool_call" | "tool_result">): string =>
  `${subagent_id ?? ""} ${tool_call_id}`;

/** Older logs name the sub-agent only. */
const ofSubAgent = ({ subagent_id = null, name }: EventOf<"subagent">) => (bar: Bar) =>
  bar.kind === "subagent" && (subagent_id === null ? bar.name === name : bar.id === subagent_id);

function newBar(key: number, kind: BarKind, name: string, from: number, more: Partial<Bar>): Bar {
  return {
    key,
    id: "",
    kind,
    name,
    from,
    to: null,
    status: "running",
    depth: 0,
    tokens: null,
    cost: null,
    firstAt: null,
    input: null,
    output: null,
    ...more,
  };
}

function close(bar: Bar, to: number, status: Bar["status"], more: Partial<Bar> = {}): void {
  Object.assign(bar, { to: Math.max(to, bar.from), status, ...more });
}

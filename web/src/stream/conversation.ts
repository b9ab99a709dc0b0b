/** A session as a page shows it: what the reducer makes of the log. Plain data, never changed in place. */
import type { EventOf, JsonObject } from "@/stream/events";

interface Base {
  /** Stable for as long as the item lives: the number of its first event. */
  key: number;
  runId: string;
  /** Seconds since 1970. */
  at: number;
  /** The run of a sub-agent it belongs to; null for the agent itself. */
  subagentId: string | null;
}

export interface TextItem extends Base {
  kind: "text";
  text: string;
  final: boolean;
  figures: EventOf<"text">["figures"];
  unsourced: EventOf<"text">["unsourced"];
  /** The number of its newest piece. */
  lastSeq: number;
}

export interface ThoughtItem extends Base {
  kind: "thought";
  level: EventOf<"thought">["level"];
  text: string;
  final: boolean;
  endedAt: number;
  /** The number of its newest piece. */
  lastSeq: number;
}

export type FileChange = Pick<
  EventOf<"file_operation">,
  "operation" | "file_path" | "metrics" | "diff" | "status"
>;

export interface CallItem extends Base {
  kind: "call";
  callId: string;
  tool: string;
  args: JsonObject;
  subagent: string | null;
  progress: { done: number; total: number | null; message: string } | null;
  result: EventOf<"tool_result"> | null;
  files: FileChange[];
  /** A crash left it without a result; it counts again if one comes after all. */
  void: boolean;
}

export interface RequestItem extends Base {
  kind: "request";
  request: EventOf<"hitl_request">;
  answer: EventOf<"hitl_answer"> | null;
}

export interface NoticeItem extends Base {
  kind: "notice";
  event: EventOf<"warning" | "error" | "retry" | "mode_changed" | "context_compressed" | "resumed">;
}

export interface AgentItem extends Base {
  kind: "agent";
  event: EventOf<"subagent" | "skill" | "pattern_match">;
  endedAt: number | null;
  /** What the turns of a sub-agent have used so far. */
  spent: AgentSpent | null;
}

/** What became of a memory. */
export interface MemoryItem extends Base {
  kind: "memory";
  event: EventOf<"memory_changed">;
}

export interface AgentSpent {
  tokens: number;
  /** An unknown price is null, never 0. */
  cost: number | null;
  currency: string;
}

export interface FileItem extends Base {
  kind: "file";
  change: FileChange;
}

export interface StartItem extends Base {
  kind: "start";
  messageId: string;
  model: string;
  assistantId: string;
}

export interface EndItem extends Base {
  kind: "end";
  done: EventOf<"done">;
}

export type Item =
  | StartItem
  | TextItem
  | ThoughtItem
  | CallItem
  | RequestItem
  | NoticeItem
  | AgentItem
  | MemoryItem
  | FileItem
  | PlanItem
  | EndItem;

/** `cancelled` is of to-do lists, `skipped` and `timeout` are of work plans. */
export type StepStatus = "pending" | "in_progress" | "completed" | "failed" | "skipped" | "timeout" | "cancelled";

export interface PlanStep {
  /** Counts from 1 and stays, wherever in the list the step stands. */
  number: number;
  text: string;
  status: StepStatus;
  /** The sub-agent that works on it; empty: the agent itself, or whoever is free. */
  agent: string;
  /** The numbers of the steps whose results it needs. */
  dependencies: readonly number[];
  expectedOutput: string;
  /** What the agent is told beside the text. */
  prompt: string;
  /** What came of it; of a failed one, why. */
  result: string;
  startedAt: number | null;
  endedAt: number | null;
  durationMs: number | null;
  tokens: number | null;
  /** An unknown price is null, never 0. */
  cost: number | null;
  currency: string;
}

/** A person changed the plan, or the agent planned again. */
export interface PlanChange {
  version: number;
  change: EventOf<"work_plan">["change"];
  by: string | null;
  reason: string;
  at: number;
}

/** The plan of one run: a to-do list of the agent, or a work plan. */
export interface Plan {
  runId: string;
  /** Counts the changes of a work plan; null: a to-do list, which nobody but the agent changes. */
  version: number | null;
  status: EventOf<"work_plan">["status"] | null;
  /** Where the loop is staged. */
  stage: EventOf<"work_plan">["stage"];
  /** How many reviews sent work back. */
  round: number;
  /** Why the newest version is as it is. */
  reason: string;
  changes: readonly PlanChange[];
  /** In the order in which those that could begin do begin. */
  steps: readonly PlanStep[];
  /** What is known of steps by their number, also of those no version has named yet. */
  facts: Readonly<Record<number, StepFact>>;
}

export interface StepFact {
  startedAt: number | null;
  agent: string;
  end: EventOf<"step_end"> | null;
}

/** Stands where the plan was made, and changes with it. */
export interface PlanItem extends Base {
  kind: "plan";
  plan: Plan;
}

export interface Spent {
  tokens: Record<string, number>;
  /** An unknown price is null, never 0. */
  cost: number | null;
  currency: string;
  budgets: JsonObject[];
}

/** The last word of one person on a run. */
export type Feedback = Pick<EventOf<"feedback">, "rating" | "correction">;

export interface Run {
  runId: string;
  messageId: string;
  model: string;
  startedAt: number;
  endedAt: number | null;
  reason: EventOf<"done">["reason"] | null;
  spent: Spent | null;
  attempt: number;
  /** By the person who said it; empty: at a terminal, where nobody signs in. */
  feedback: Readonly<Record<string, Feedback>>;
  /** The ids of the memories that the model was given. */
  recalled: readonly string[];
}

export interface Conversation {
  lastSeq: number;
  items: readonly Item[];
  runs: Readonly<Record<string, Run>>;
  /** The run that has started and is not done; at most one. */
  activeRunId: string | null;
  /** The plan of the newest run that has one. */
  plan: Plan | null;
  mode: EventOf<"mode_changed">["mode"];
  /** Open requests, oldest first. */
  waiting: readonly string[];
  /** The command that runs while it is still decided whether it may. */
  announced: string | null;
}

export const EMPTY: Conversation = {
  lastSeq: 0,
  items: [],
  runs: {},
  activeRunId: null,
  plan: null,
  mode: "ask",
  waiting: [],
  announced: null,
};

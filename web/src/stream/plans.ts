/**
 * The plan of a run from its events: a to-do list, or a work plan. Pure.
 *
 * The newest version says what the steps are. That a step began and how it ended are facts, which no
 * version takes back: they count whether they were logged before or after it.
 */
import type { Plan, PlanStep, StepStatus } from "@/stream/conversation";
import type { EventOf, Json, JsonObject } from "@/stream/events";

export type PlanEvent = EventOf<"todo_update" | "work_plan" | "step_start" | "step_end"> & { run_id: string };

/** The run whose plan an event is of; a person's change belongs to no run itself. */
export const planRunOf = (event: PlanEvent): string =>
  (event.event_type === "todo_update" ? "" : event.plan_id) || event.run_id;

export function planned(plan: Plan | null, event: PlanEvent): Plan {
  const known = plan ?? emptyPlan(planRunOf(event));
  switch (event.event_type) {
    case "todo_update":
      // While a work plan is carried out, a list that the agent makes for one of its steps is not the plan.
      return isOpen(known) ? known : { ...known, steps: event.todos.map((todo, at) => todoOf(todo as JsonObject, at + 1)) };
    case "work_plan":
      return known.version !== null && event.version <= known.version ? known : withVersion(known, event);
    case "step_start":
      return withFact(known, event.step_number, { startedAt: event.timestamp, agent: event.agent ?? "" });
    case "step_end":
      // How it ended first is how it ended.
      return known.facts[event.step_number]?.end ? known : withFact(known, event.step_number, { end: event });
    default:
      return event satisfies never;
  }
}

/** Whether a work plan is still being made or carried out: only then people can change it. */
export const isOpen = ({ version, status }: Plan): boolean =>
  version !== null && (status === "planning" || status === "in_progress");

/** A step of a work plan, as an event or a response carries it. */
export function stepOf(raw: JsonObject, number: number): PlanStep {
  const status = text(raw.status);
  return {
    number: typeof raw.step_number === "number" ? raw.step_number : number,
    text: text(raw.description) || text(raw.content) || text(raw.title),
    status: isStatus(status) ? status : "pending",
    agent: text(raw.assigned_agent),
    dependencies: Array.isArray(raw.dependencies) ? raw.dependencies.filter((each) => typeof each === "number") : [],
    expectedOutput: text(raw.expected_output),
    prompt: text(raw.thought_prompt),
    result: text(raw.result),
    startedAt: null,
    durationMs: typeof raw.execution_time_ms === "number" ? raw.execution_time_ms : null,
    tokens: null,
    cost: null,
    currency: "USD",
  };
}

function emptyPlan(runId: string): Plan {
  return { runId, version: null, status: null, stage: null, round: 0, reason: "", changes: [], steps: [], facts: {} };
}

/** Items of a to-do list have no numbers of their own: they are counted. */
const todoOf = (raw: JsonObject, number: number): PlanStep => stepOf({ ...raw, step_number: number }, number);

function withVersion(plan: Plan, event: EventOf<"work_plan">): Plan {
  const { version, status, stage, round, change, by, reason, timestamp } = event;
  const isNews = change === "edited" || change === "replanned";
  const steps = event.steps.map((each, at) => withFacts(stepOf(each as JsonObject, at + 1), plan.facts));
  return {
    ...plan,
    version,
    status,
    stage,
    round,
    reason,
    changes: isNews ? [...plan.changes, { version, change, by, reason, at: timestamp }] : plan.changes,
    steps,
  };
}

function withFact(plan: Plan, number: number, fact: Partial<Plan["facts"][number]>): Plan {
  const before = plan.facts[number] ?? { startedAt: null, agent: "", end: null };
  const facts = { ...plan.facts, [number]: { ...before, ...fact } };
  return { ...plan, facts, steps: plan.steps.map((step) => (step.number === number ? withFacts(step, facts) : step)) };
}

function withFacts(step: PlanStep, facts: Plan["facts"]): PlanStep {
  const fact = facts[step.number];
  if (!fact) return step;
  const begun = { ...step, startedAt: fact.startedAt, agent: fact.agent || step.agent };
  if (fact.end === null) return step.status === "pending" ? { ...begun, status: "in_progress" } : begun;
  const { status, success, result, duration_ms, tokens, cost, currency } = fact.end;
  return {
    ...begun,
    // Older logs say only whether it succeeded.
    status: status && !(status === "completed" && !success) ? status : success ? "completed" : "failed",
    result: result ?? "",
    durationMs: duration_ms,
    tokens: tokens?.total_tokens ?? null,
    cost: cost ?? null,
    currency: currency ?? "USD",
  };
}

const STATUSES: readonly string[] = [
  "pending",
  "in_progress",
  "completed",
  "failed",
  "skipped",
  "timeout",
  "cancelled",
] satisfies StepStatus[];
const isStatus = (status: string): status is StepStatus => STATUSES.includes(status);

const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");

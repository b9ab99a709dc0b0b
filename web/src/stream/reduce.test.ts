import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EMPTY, type CallItem, type Conversation } from "@/stream/conversation";
import type { Numbered } from "@/stream/events";
import { GapError, reduce } from "@/stream/reduce";
import { logs } from "@/stream/testing/generated";
import { NAMES, recorded, turnsOf } from "@/stream/testing/recorded";
import { told } from "@/stream/testing/told";

const whole = (events: readonly Numbered[]): Conversation => reduce(EMPTY, events);

/** Batches as connections bring them: each goes on somewhere at or before what is known, so they overlap. */
const batches = fc.array(fc.record({ back: fc.nat(6), take: fc.integer({ min: 1, max: 9 }) }), {
  minLength: 1,
  maxLength: 60,
});

function inBatches(events: readonly Numbered[], how: { back: number; take: number }[]): Conversation {
  let state = EMPTY;
  for (let at = 0; state.lastSeq < events.length; at += 1) {
    const { back, take } = how[at % how.length] as { back: number; take: number };
    const from = Math.max(0, state.lastSeq - back);
    state = reduce(state, events.slice(from, state.lastSeq + take));
  }
  return state;
}

function withoutOne(events: readonly Numbered[], at: number): Numbered[] {
  return events.filter((_, index) => index !== at);
}

describe.each(NAMES)("the recorded log %s", (name) => {
  const events = recorded(name);

  test("read twice is the same as read once", () => {
    const once = whole(events);
    expect(reduce(once, events)).toBe(once);
    expect(whole([...events, ...events])).toEqual(once);
  });

  test("cut anywhere, with repeats, is the same as uncut", () => {
    const uncut = whole(events);
    const sameAsUncut = fc.property(batches, (how) => {
      expect(inBatches(events, how)).toEqual(uncut);
    });
    fc.assert(sameAsUncut, { numRuns: 40 });
  });

  test("with an event missing it is refused, and says from where to ask", () => {
    fc.assert(
      fc.property(fc.nat(events.length - 2), (missing) => {
        const before = whole(events.slice(0, missing));
        expect(() => reduce(before, withoutOne(events, missing))).toThrow(GapError);
        expect(gapOf(() => reduce(before, withoutOne(events, missing)))).toBe(missing);
        // What was known is untouched: asked from there, it is whole.
        expect(reduce(before, events.slice(before.lastSeq))).toEqual(whole(events));
      }),
      { numRuns: 20 },
    );
  });

  test("shows what the core's export tells", () => {
    const shown = told(whole(events));
    const exported = turnsOf(name);
    expect(shown.map(({ model, reason }) => ({ model, reason }))).toEqual(
      exported.map(({ model, reason }) => ({ model, reason })),
    );
    shown.forEach((turn, at) => {
      const steps = exported[at]?.steps ?? [];
      // Texts, calls and errors have one order; requests and changes come later there.
      for (const kinds of [["Said", "Called", "Failed"], ["Changed"], ["Asked"]]) {
        const of = (all: typeof steps) => all.filter((step) => kinds.includes(step.kind));
        expect(of(turn.steps).toSorted(kinds.length > 1 ? () => 0 : byJson)).toEqual(
          of(steps).map(withoutQuestion).toSorted(kinds.length > 1 ? () => 0 : byJson),
        );
      }
    });
  });

  test("a final text takes the place of its pieces at once", () => {
    events.forEach((event, at) => {
      if (event.event_type !== "text" || !event.is_final) return;
      const texts = whole(events.slice(0, at + 1)).items.filter((item) => item.kind === "text");
      expect(texts.at(-1)).toMatchObject({ text: event.content, final: true });
    });
  });

  test("nothing waits and nothing runs once it is done", () => {
    const { waiting, activeRunId, items } = whole(events);
    expect({ waiting, activeRunId }).toEqual({ waiting: [], activeRunId: null });
    for (const item of items) {
      if (item.kind === "text" || item.kind === "thought") expect(item.final).toBe(true);
      if (item.kind === "agent") expect(item.endedAt).not.toBeNull();
    }
  });
});

describe("any log a run could write", () => {
  test("shows each text once, and nothing void", () => {
    fc.assert(
      fc.property(logs, ({ events, said }) => {
        const texts = whole(events).items.flatMap((item) => (item.kind === "text" ? [item.text] : []));
        expect(texts.filter((text) => text.trim() !== "")).toEqual(said);
      }),
    );
  });

  test("shows each call once, with its result and its files", () => {
    fc.assert(
      fc.property(logs, ({ events, callIds }) => {
        const calls = whole(events).items.filter((item): item is CallItem => item.kind === "call");
        expect(calls.map((call) => call.callId).toSorted()).toEqual(callIds.toSorted());
        for (const call of calls) {
          expect(call).toMatchObject({ void: false, result: { result: call.callId } });
          for (const file of call.files) expect(file.file_path).toBe(call.callId);
        }
      }),
    );
  });

  test("is the same in whatever batches it comes", () => {
    fc.assert(
      fc.property(logs, batches, ({ events }, how) => {
        expect(inBatches(events, how)).toEqual(whole(events));
      }),
    );
  });

  test("never changes a conversation that was given out", () => {
    fc.assert(
      fc.property(logs, fc.nat(), ({ events }, at) => {
        const cut = at % events.length;
        const before = whole(events.slice(0, cut));
        const kept = structuredClone(before);
        reduce(before, events.slice(cut));
        expect(before).toEqual(kept);
      }),
    );
  });

  test("keeps what did not change as it is, so that nothing is drawn again", () => {
    fc.assert(
      fc.property(logs, ({ events }) => {
        const last = events.length - 1;
        const before = whole(events.slice(0, last));
        const after = reduce(before, events.slice(last));
        const same = before.items.filter((item) => after.items.includes(item)).length;
        expect(before.items.length - same).toBeLessThanOrEqual(2);
      }),
    );
  });

  test("waits for nobody once its runs are done", () => {
    fc.assert(
      fc.property(logs, ({ events }) => {
        expect(whole(events).waiting).toEqual([]);
      }),
    );
  });
});

test("a text of which only the end is void goes whole: the model says it again", () => {
  const piece = (seq: number, content: string) =>
    ({ event_type: "text", content, is_final: false, figures: [], unsourced: [], timestamp: 0, seq, run_id: "r" }) as Numbered;
  const resumed = { event_type: "resumed", attempt: 2, discard_after: 1, timestamp: 0, seq: 3, run_id: "r" } as Numbered;
  const { items } = whole([piece(1, "a"), piece(2, "b"), resumed, piece(4, "ab")]);
  expect(items.flatMap((item) => (item.kind === "text" ? [item.text] : []))).toEqual(["ab"]);
});

test("calls of two sub-agents that have one id keep their own progress and results", () => {
  const event = (seq: number, kind: string, by: string, more: object) =>
    ({ event_type: kind, tool_call_id: "call_0", tool_name: "ls", timestamp: 0, seq, run_id: "r", subagent_id: by, ...more }) as unknown as Numbered;
  const { items } = whole([
    event(1, "tool_call", "one", { tool_args: {} }),
    event(2, "tool_call", "two", { tool_args: {} }),
    event(3, "tool_progress", "one", { progress: 1, message: "half" }),
    event(4, "tool_result", "one", { result: "of one" }),
    event(5, "tool_result", "two", { result: "of two" }),
  ]);
  const results = items.map((item) => [item.subagentId, item.kind === "call" ? item.result?.result : null]);
  expect(results).toEqual([
    ["one", "of one"],
    ["two", "of two"],
  ]);
});

test("what people say of a run stands at the run: the last word of each, wherever it was said", () => {
  const of = (run_id: string, seq: number, event: object) => ({ timestamp: 0, seq, run_id, ...event }) as unknown as Numbered;
  const said = (seq: number, by: string | null, rating: string, correction = "") =>
    of("", seq, { event_type: "feedback", target_run_id: "r", by, rating, correction });
  const { items, runs } = whole([
    of("r", 1, { event_type: "start", message_id: "m", model: "demo", mode: "ask" }),
    of("r", 2, { event_type: "done", reason: "completed" }),
    of("later", 3, { event_type: "start", message_id: "n", model: "demo", mode: "ask" }),
    said(4, "mei", "up"),
    said(5, "bo", "down", "by region"),
    said(6, "mei", ""),
    said(7, null, "up"),
  ]);
  expect(runs.r?.feedback).toEqual({
    mei: { rating: "", correction: "" },
    bo: { rating: "down", correction: "by region" },
    "": { rating: "up", correction: "" },
  });
  expect(runs.later?.feedback).toEqual({});
  expect(items.map((item) => item.kind)).toEqual(["start", "end", "start"]);
});

describe("a command that is announced before its call", () => {
  const at = (seq: number, event: object) => ({ timestamp: 0, seq, run_id: "r", ...event }) as Numbered;
  const announced = at(1, { event_type: "tool_progress", tool_call_id: "c", progress: 0, message: "sleep 9" });
  const call = at(2, { event_type: "tool_call", tool_call_id: "c", tool_name: "shell", tool_args: {} });
  const request = at(2, { event_type: "hitl_request", interrupt_id: "i", kind: "approval", action_requests: [] });

  test("is known until its call, or the question about it, comes", () => {
    expect(whole([announced]).announced).toBe("sleep 9");
    expect(whole([announced, call]).announced).toBeNull();
    expect(whole([announced, request]).announced).toBeNull();
  });

  test("is none where the call runs already", () => {
    const later = { ...announced, seq: 3 } as Numbered;
    const { items, announced: said } = whole([announced, call, later]);
    expect(said).toBeNull();
    expect(items).toMatchObject([{ kind: "call", progress: { done: 0, total: null, message: "sleep 9" } }]);
  });
});

describe("a message that is taken out of the queue", () => {
  const at = (seq: number, run_id: string, event: object) => ({ timestamp: 0, seq, run_id, ...event }) as Numbered;
  const start = (seq: number, run_id: string) =>
    at(seq, run_id, { event_type: "start", message_id: `m-${run_id}`, model: "", assistant_id: "", mode: "ask" });
  const text = (seq: number, run_id: string, content: string) =>
    at(seq, run_id, { event_type: "text", content, is_final: false, figures: [], unsourced: [] });
  const withdrawn = (seq: number, run_id: string) =>
    at(seq, run_id, { event_type: "done", reason: "user_cancelled", cancelled: true, content: "", format: "markdown" });

  test("leaves nothing, and the run under way goes on", () => {
    const log = [start(1, "a"), text(2, "a", "one "), start(3, "b"), withdrawn(4, "b"), text(5, "a", "two")];
    const { items, activeRunId } = whole(log);
    expect(activeRunId).toBe("a");
    expect(items.map((item) => [item.kind, item.runId])).toEqual([["start", "a"], ["text", "a"]]);
  });

  test("is not one that began to work after a run that never said its end", () => {
    const { items, activeRunId } = whole([start(1, "a"), start(2, "b"), text(3, "b", "here")]);
    expect(activeRunId).toBe("b");
    expect(items.filter((item) => item.runId === "b")).toHaveLength(2);
  });

  test("is not one that was stopped before it said anything", () => {
    const { items } = whole([start(1, "a"), withdrawn(2, "a")]);
    expect(items.map((item) => item.kind)).toEqual(["start", "end"]);
  });
});

test("an event of a later server is passed over and counted", () => {
  const unknown = { event_type: "of_tomorrow", timestamp: 0, seq: 1, run_id: "" } as unknown as Numbered;
  expect(whole([unknown])).toEqual({ ...EMPTY, lastSeq: 1 });
});

function gapOf(act: () => unknown): number | null {
  try {
    act();
  } catch (error) {
    if (error instanceof GapError) return error.after;
    throw error;
  }
  return null;
}

const byJson = (one: unknown, other: unknown): number =>
  JSON.stringify(one).localeCompare(JSON.stringify(other));

/** How a question is put into one line is the export's own business. */
function withoutQuestion<T extends object>(step: T): T {
  const { question: _left, ...rest } = step as T & { question?: string };
  return rest as T;
}

test("of what was recalled, memories are kept by their ids, and pieces of conversations are none", () => {
  const [events, last] = [recorded(NAMES[0]!), recorded(NAMES[0]!).at(-1)!];
  const told = {
    event_id: null,
    event_type: "memory_recalled",
    memories: [{ id: "m1", type: "fact" }, { id: "e1", type: "episode" }, { id: "m1", type: "fact" }],
    run_id: last.run_id,
    seq: last.seq + 1,
    subagent_id: null,
    timestamp: last.timestamp,
    tool: "",
  } as unknown as Numbered;
  expect(whole([...events, told]).runs[String(last.run_id)]?.recalled).toEqual(["m1"]);
});

/** Logs that a run could have written, with what must be shown of them. */
import fc from "fast-check";
import type { Numbered } from "@/stream/events";

interface Message {
  thought: string[];
  text: string[];
  calls: { files: number }[];
  /** How much text there was when the process ended, and then again from the beginning. */
  saidBeforeCrash: number | null;
  /** How many calls had a result when the process ended; the others are made again. */
  answeredBeforeCrash: number | null;
  asks: "answered" | "superseded" | "left" | null;
}

interface Made {
  events: Numbered[];
  /** The texts a reader sees, in their order. */
  said: string[];
  callIds: string[];
}

const pieces = fc.array(fc.string({ minLength: 1, maxLength: 6 }), { maxLength: 5 });

const message: fc.Arbitrary<Message> = fc.record({
  thought: pieces,
  text: pieces,
  calls: fc.array(fc.record({ files: fc.nat(2) }), { maxLength: 3 }),
  saidBeforeCrash: fc.option(fc.nat(8)),
  answeredBeforeCrash: fc.option(fc.nat(2)),
  asks: fc.constantFrom("answered", "superseded", "left", null),
});

const run = fc.record({
  messages: fc.array(message, { minLength: 1, maxLength: 4 }),
  cut: fc.boolean(),
});

export const logs: fc.Arbitrary<Made> = fc.array(run, { minLength: 1, maxLength: 3 }).map((runs) => {
  const log = new Log();
  for (const each of runs) log.run(each.messages, each.cut);
  return { events: log.events, said: log.said, callIds: log.callIds };
});

class Log {
  events: Numbered[] = [];
  said: string[] = [];
  callIds: string[] = [];
  #runId = "";
  #attempt = 1;

  run(messages: Message[], cut: boolean): void {
    this.#runId = `run${this.events.length}`;
    this.#attempt = 1;
    this.#add("start", { message_id: `m${this.events.length}`, model: "x", assistant_id: "", mode: "ask" });
    messages.forEach((each, at) => this.#message(each, cut && at === messages.length - 1));
    const reason = cut ? "user_cancelled" : "completed";
    this.#add("done", { cancelled: cut, reason, content: "", format: "markdown", token_usage: null });
  }

  #message(each: Message, cut: boolean): void {
    if (each.saidBeforeCrash !== null) {
      const safe = this.events.length;
      this.#pieces(each, each.saidBeforeCrash);
      this.#resumed(safe);
    }
    this.#pieces(each, Infinity);
    const text = each.text.join("");
    if (text.trim() !== "") this.said.push(text);
    if (cut) return;
    if (each.thought.length) this.#piece("thought", each.thought.join(""), true);
    if (each.text.length) this.#piece("text", text, true);
    this.#asks(each.asks);
    this.#calls(each);
  }

  #pieces(each: Message, upTo: number): void {
    const all = [
      ...each.thought.map((content) => ["thought", content] as const),
      ...each.text.map((content) => ["text", content] as const),
    ];
    for (const [kind, content] of all.slice(0, upTo)) this.#piece(kind, content, false);
  }

  #piece(kind: "text" | "thought", content: string, is_final: boolean): void {
    const rest = kind === "text" ? { figures: [], unsourced: [] } : { level: "task" };
    this.#add(kind, { content, is_final, ...rest });
  }

  #calls({ calls, answeredBeforeCrash }: Message): void {
    const ids = calls.map((_, at) => `call${this.events.length}.${at}`);
    this.callIds.push(...ids);
    const first = this.events.length;
    for (const id of ids) this.#call(id);
    const answered = answeredBeforeCrash === null ? ids.length : Math.min(answeredBeforeCrash, ids.length);
    ids.slice(0, answered).forEach((id, at) => this.#result(id, calls[at]?.files ?? 0));
    if (answered === ids.length) return;
    this.#resumed(first + answered);
    ids.slice(answered).forEach((id) => this.#call(id));
    // The last to be asked is the first to answer.
    ids.slice(answered).toReversed().forEach((id) => this.#result(id, 1));
  }

  #call(id: string): void {
    this.#add("tool_call", { tool_name: "t", tool_args: {}, tool_call_id: id, subagent: null });
  }

  #result(id: string, files: number): void {
    this.#add("tool_result", { tool_call_id: id, tool_name: "t", result: id, status: "success", artifacts: [] });
    for (let at = 0; at < files; at += 1) {
      this.#add("file_operation", { operation: "write", file_path: id, metrics: {}, diff: null, status: "success" });
    }
  }

  #asks(how: Message["asks"]): void {
    if (how === null) return;
    const interrupt_id = `ask${this.events.length}`;
    this.#add("hitl_request", { interrupt_id, kind: "approval", action_requests: [], options: [] });
    if (how === "left") return;
    const decision = how === "answered" ? { type: "approve" } : {};
    this.#add("hitl_answer", { interrupt_id, kind: "approval", decision, superseded: how === "superseded" });
  }

  #resumed(discard_after: number): void {
    this.#attempt += 1;
    this.#add("resumed", { attempt: this.#attempt, discard_after });
  }

  #add(event_type: string, fields: object): void {
    const seq = this.events.length + 1;
    this.events.push({ event_type, ...fields, timestamp: seq, seq, run_id: this.#runId } as Numbered);
  }
}

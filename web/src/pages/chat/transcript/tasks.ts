/** Finds the card of a sub-agent's run for everything that belongs to it. Pure. */
import type { Row, Task } from "@/pages/chat/transcript/rows";
import type { AgentItem, CallItem, Item } from "@/stream/conversation";

const DELEGATES = new Set(["task"]);

export class TaskBook {
  readonly rows: Row[];
  readonly #tasks: Task[] = [];
  readonly #byId = new Map<string, Task>();

  constructor(rows: Row[]) {
    this.rows = rows;
  }

  /** The rows an item belongs to: those of its sub-agent's card, else those of the conversation. */
  placeOf({ subagentId }: Item): Row[] {
    return (subagentId === null ? null : this.#find(subagentId)?.rows) ?? this.rows;
  }

  /** Takes a call that delegates; says whether it is one. */
  delegate(call: CallItem): boolean {
    if (!DELEGATES.has(call.tool)) return false;
    // The router may have announced the sub-agent before the call.
    const announced = this.#tasks.findLast((task) => task.call === null && isOf(task.id, call));
    if (announced) announced.call = call;
    else this.#add({ key: call.key, id: null, call, agent: null, rows: [] }, this.placeOf(call));
    return true;
  }

  /** Takes what is said of a sub-agent's run; false for anything else, and in logs without ids. */
  tell(item: Item): boolean {
    if (item.kind !== "agent" || item.event.event_type !== "subagent" || item.subagentId === null) return false;
    const known = this.#find(item.subagentId, item.event.parent_id);
    if (known) known.agent = item;
    else this.#begin(item, item.subagentId);
    return true;
  }

  #begin(item: AgentItem, id: string): void {
    const parent = item.event.event_type === "subagent" ? item.event.parent_id : null;
    const place = (typeof parent === "string" ? this.#find(parent)?.rows : null) ?? this.rows;
    const task: Task = { key: item.key, id, call: null, agent: item, rows: [] };
    this.#add(task, place);
    this.#byId.set(id, task);
  }

  #add(task: Task, rows: Row[]): void {
    this.#tasks.push(task);
    const last = rows.at(-1);
    if (last?.kind === "tasks") last.tasks.push(task);
    else rows.push({ kind: "tasks", key: task.key, tasks: [task], shared: [] });
  }

  /** Finds a task; calls of several sub-agents may have one id, so it counts who delegated, if that is known. */
  #find(id: string, parent?: string | null): Task | undefined {
    const known = this.#byId.get(id);
    if (known) return known;
    const isNew = ({ id: other, call }: Task): boolean =>
      other === null && call !== null && isOf(id, call) && (parent === undefined || call.subagentId === parent);
    const found = this.#tasks.findLast(isNew);
    if (found) {
      found.id = id;
      this.#byId.set(id, found);
    }
    return found;
  }
}

/** The id of a sub-agent's run ends in the id of the call that began it. */
const isOf = (id: string | null, { callId }: CallItem): boolean =>
  id !== null && (id === callId || id.endsWith(`:${callId}`));

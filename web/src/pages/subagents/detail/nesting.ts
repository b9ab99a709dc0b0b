/** Puts what a sub-agent did below the task it belongs to. Pure. */
import type { Activity } from "@/pages/subagents/queries";

export interface Nested {
  activity: Activity;
  /** In the order in which they began. */
  steps: Nested[];
}

export interface Nesting {
  /** The newest first. */
  tasks: Nested[];
  /** Steps of a task that began before the oldest that is loaded; in their order. */
  loose: Nested[];
}

/** `activities` are the newest first. */
export function nestingOf(activities: readonly Activity[]): Nesting {
  const all = new Map(activities.map((activity): [string, Nested] => [activity.id, { activity, steps: [] }]));
  const tasks: Nested[] = [];
  const loose: Nested[] = [];
  for (const each of all.values()) {
    const { parent_activity_id: parent, type } = each.activity;
    const above = parent === null ? undefined : all.get(parent);
    // A task that another sub-agent gave it stands for itself.
    (above?.steps ?? (type === "subagent" ? tasks : loose)).push(each);
  }
  for (const { steps } of all.values()) steps.reverse();
  return { tasks, loose: loose.reverse() };
}

/** The conversation that started a task in the background; null for any other. Pure. */
import type { Schemas } from "@/api/client";

/** The metadata is its owner's to change. */
export function parentOf(session: Pick<Schemas["SessionInfo"], "metadata"> | undefined): string | null {
  const task = session?.metadata?.background_task;
  const parent = typeof task === "object" && task !== null && "parent_session_id" in task ? task.parent_session_id : null;
  return typeof parent === "string" && parent !== "" ? encodeURIComponent(parent) : null;
}

/** The status of an activity in the four words the pages have for it. Pure. */
import type { Activity } from "@/pages/subagents/queries";

const FAILED = new Set(["failed", "error", "timeout"]);
const STOPPED = new Set(["cancelled", "stopped", "interrupted"]);

export function statusOf({ status, completed_at }: Pick<Activity, "status" | "completed_at">): "done" | "failed" | "running" | "stopped" {
  if (FAILED.has(status)) return "failed";
  if (STOPPED.has(status)) return "stopped";
  return completed_at === null ? "running" : "done";
}

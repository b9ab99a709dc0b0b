import { Tag } from "antd";
import { useTexts } from "@/i18n";
import type { Run } from "@/pages/activity/queries";
import { texts } from "@/pages/activity/texts";

const COLOURS: Record<Run["status"], string> = {
  queued: "default",
  running: "processing",
  waiting_approval: "warning",
  completed: "success",
  failed: "error",
  cancelled: "default",
};

export function RunStatus({ run }: { run: Run }) {
  const t = useTexts(texts);
  return <Tag color={COLOURS[run.status]}>{t(`status_${run.status}`)}</Tag>;
}

/** How long it has worked, in milliseconds; null before it began. */
export function durationOf(run: Run, now = Date.now()): number | null {
  if (!run.started_at) return null;
  const end = run.completed_at ? Date.parse(run.completed_at) : now;
  return Math.max(0, end - Date.parse(run.started_at));
}

export function tokensOf(run: Run): number | null {
  const total = run.token_usage?.total_tokens;
  return typeof total === "number" ? total : null;
}

/** The time left to answer. */
import { useEffect, useState } from "react";
import { formatDuration } from "@/i18n/format";

/** "1:05", "59:59", and above an hour "23 h 59 min"; null when the time is over. */
export function remaining(deadline: string, now: number): string | null {
  const seconds = Math.ceil((new Date(deadline).getTime() - now) / 1000);
  if (seconds <= 0) return null;
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 60) return formatDuration(seconds * 1000);
  return `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
}

export function useNow(stepMs: number): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), stepMs);
    return () => clearInterval(timer);
  }, [stepMs]);
  return now;
}

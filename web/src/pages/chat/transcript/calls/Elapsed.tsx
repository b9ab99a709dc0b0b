/** Seconds that go by. */
import { useEffect, useState } from "react";
import { formatDuration } from "@/i18n/format";

export function Elapsed({ since }: { since: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.floor(now / 1000 - since));
  return <span>{seconds < 1 ? "" : seconds < 60 ? `${seconds} s` : formatDuration(seconds * 1000)}</span>;
}

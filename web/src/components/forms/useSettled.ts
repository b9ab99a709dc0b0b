/** A debounced value: typed text is not sent with every letter. */
import { useEffect, useState } from "react";

export function useSettled<T>(value: T, restMs = 350): T {
  const written = JSON.stringify(value);
  const [settled, setSettled] = useState({ value, written });
  useEffect(() => {
    if (settled.written === written) return undefined;
    const timer = setTimeout(() => setSettled({ value, written }), restMs);
    return () => clearTimeout(timer);
  }, [settled.written, value, written, restMs]);
  return settled.value;
}

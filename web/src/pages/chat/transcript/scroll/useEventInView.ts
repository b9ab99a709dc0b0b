/** A link to an event, `?at=12`: the row that shows it is brought into view once it is there. */
import { useEffect, useRef, type RefObject } from "react";
import { useSearchParams } from "react-router";

/** Returns the index of the row; infinity where no event is asked for, or it has not come yet. */
export function useEventInView(
  rows: readonly { key: number }[],
  lastSeq: number,
  scroller: RefObject<HTMLDivElement | null>,
): number {
  const [params] = useSearchParams();
  const at = Number(params.get("at"));
  const isThere = at > 0 && lastSeq >= at;
  const index = isThere ? rows.findLastIndex(({ key }) => key <= at) : -1;
  const key = rows[index]?.key;
  const shown = useRef<number | null>(null);
  useEffect(() => {
    const row = key === undefined ? null : scroller.current?.querySelector(`[data-key="${key}"]`);
    if (!row || shown.current === at) return;
    shown.current = at;
    row.classList.add("row-asked");
    row.scrollIntoView({ block: "center" });
  });
  return index === -1 ? Infinity : index;
}

/** Draws a long list from its end; earlier rows are added when the user scrolls to them. */
import { startTransition, useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";

const ROWS_FIRST = 80;
const ROWS_MORE = 60;
const ROWS_MAX = 240;

interface Newest {
  /** How many rows at the beginning are not drawn yet. */
  hidden: number;
  /** Stands above the first drawn row: coming near it brings older ones. */
  sentinel: RefObject<HTMLDivElement | null>;
}

export function useNewest(
  count: number,
  scroller: RefObject<HTMLDivElement | null>,
  away: boolean,
  /** A row that has to be drawn, wherever it is. */
  needed = Infinity,
): Newest {
  const [out, setHidden] = useState(0);
  const hidden = Math.min(out, needed);
  // At the end the beginning is not visible: it is dropped, so that long sessions stay fast.
  // Who reads further up keeps what is drawn.
  if (!away && count - hidden > ROWS_MAX) setHidden(count - ROWS_FIRST);
  const sentinel = useRef<HTMLDivElement>(null);
  const anchor = useRef<{ row: HTMLElement; top: number } | null>(null);

  useEffect(() => {
    const [place, at] = [scroller.current, sentinel.current];
    if (!place || !at || hidden === 0) return undefined;
    const observer = new IntersectionObserver(
      ([entry]) => {
        const row = at.nextElementSibling;
        if (!entry?.isIntersecting || !(row instanceof HTMLElement)) return;
        anchor.current = { row, top: row.offsetTop };
        // The browser's own anchoring does nothing at the very top: it is done by hand below.
        place.style.overflowAnchor = "none";
        startTransition(() => setHidden((now) => Math.max(0, now - ROWS_MORE)));
      },
      { root: place, rootMargin: "2000px 0px 0px 0px" },
    );
    observer.observe(at);
    return () => observer.disconnect();
  }, [hidden, scroller]);

  useLayoutEffect(() => {
    const [place, kept] = [scroller.current, anchor.current];
    if (!place || !kept) return;
    place.scrollTop += kept.row.offsetTop - kept.top;
    anchor.current = null;
    requestAnimationFrame(() => (place.style.overflowAnchor = ""));
  }, [hidden, scroller]);

  return { hidden, sentinel };
}

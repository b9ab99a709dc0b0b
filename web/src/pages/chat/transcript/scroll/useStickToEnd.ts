/** Keeps the end in view while the person is at the end, and leaves them alone when they are not. */
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";

/** So near the end counts as at the end. */
const NEAR_PX = 60;

interface Stick {
  away: boolean;
  toEnd: () => void;
}

export function useStickToEnd(
  scroller: RefObject<HTMLDivElement | null>,
  content: RefObject<HTMLDivElement | null>,
): Stick {
  const [away, setAway] = useState(false);
  const atEnd = useRef(true);

  const toEnd = useCallback(() => {
    const place = scroller.current;
    if (!place) return;
    atEnd.current = true;
    setAway(false);
    place.scrollTop = place.scrollHeight;
  }, [scroller]);

  useLayoutEffect(toEnd, [toEnd]);

  useEffect(() => {
    const [place, inside] = [scroller.current, content.current];
    if (!place || !inside) return undefined;
    let lastTop = place.scrollTop;
    const scrolled = () => {
      const left = place.scrollHeight - place.scrollTop - place.clientHeight;
      // Content that grows also moves the end away; only a person scrolls up.
      if (left <= NEAR_PX) atEnd.current = true;
      else if (place.scrollTop < lastTop) atEnd.current = false;
      lastTop = place.scrollTop;
      setAway(!atEnd.current);
    };
    const grown = new ResizeObserver(() => {
      if (atEnd.current) place.scrollTop = place.scrollHeight;
    });
    place.addEventListener("scroll", scrolled, { passive: true });
    grown.observe(inside);
    grown.observe(place);
    return () => {
      place.removeEventListener("scroll", scrolled);
      grown.disconnect();
    };
  }, [scroller, content]);

  return { away, toEnd };
}

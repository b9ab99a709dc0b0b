/** Where the focus goes when an answered request leaves the page: the next request, else the composer. */
import { useEffect, useRef } from "react";

export const REQUEST_CLASS = "chat-request";

export function useFocusAfterAnswer(): () => void {
  const answered = useRef(false);
  useEffect(
    () => () => {
      // Somebody who has moved on meanwhile stays where they are.
      const lost = document.activeElement === null || document.activeElement === document.body;
      if (answered.current && lost) focusNext();
    },
    [],
  );
  return () => {
    answered.current = true;
  };
}

function focusNext(): void {
  const next = document.querySelector<HTMLElement>(`.${REQUEST_CLASS}`);
  // On a touch screen the composer's keyboard would cover what is to be read first.
  const composer = matchMedia("(hover: hover)").matches ? ".chat-composer textarea" : ".transcript-scroll";
  (next ?? document.querySelector<HTMLElement>(composer))?.focus({ preventScroll: true });
}

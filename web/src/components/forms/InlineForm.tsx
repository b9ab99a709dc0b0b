/** A form that opens inside a page. It takes the focus, and while it is open Esc cancels it and nothing else. */
import { Flex } from "antd";
import { useEffect, useRef, type ReactNode } from "react";
import { INLINE_FORM_CLASS } from "@/app/state/layers";

interface Props {
  onCancel: () => void;
  children: ReactNode;
}

export function InlineForm({ onCancel, children }: Props) {
  const form = useRef<HTMLDivElement>(null);
  const cancel = useRef(onCancel);
  cancel.current = onCancel;
  useEffect(() => {
    form.current?.querySelector<HTMLElement>("textarea, input")?.focus();
    const pressed = (event: KeyboardEvent) => {
      const { target } = event;
      const ours = target === document.body || (target instanceof Node && form.current?.contains(target));
      if (event.key !== "Escape" || event.isComposing || event.defaultPrevented || !ours) return;
      event.preventDefault();
      cancel.current();
    };
    window.addEventListener("keydown", pressed);
    return () => window.removeEventListener("keydown", pressed);
  }, []);
  return (
    <Flex vertical gap={8} ref={form} className={INLINE_FORM_CLASS}>
      {children}
    </Flex>
  );
}

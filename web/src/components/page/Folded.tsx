/** Long content shows its beginning and a button for the rest. */
import { Button } from "antd";
import { useState, type ReactNode } from "react";
import { componentTexts } from "@/components/texts";
import { useTexts } from "@/i18n";

const LINES_MAX = 40;
/** A few lines over are shown at once: a button would take as much room. */
const LINES_OVER = 10;

interface Props<T> {
  lines: readonly T[];
  children: (shown: readonly T[]) => ReactNode;
}

export function Folded<T>({ lines, children }: Props<T>) {
  const t = useTexts(componentTexts);
  const [open, setOpen] = useState(false);
  const long = lines.length > LINES_MAX + LINES_OVER;
  return (
    <>
      {children(long && !open ? lines.slice(0, LINES_MAX) : lines)}
      {long && (
        <Button size="small" type="link" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? t("show_less") : t("show_all_lines", { count: lines.length })}
        </Button>
      )}
    </>
  );
}

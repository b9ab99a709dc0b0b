/** A text that is edited line by line: numbered lines, those with a problem marked, and what was found beside it. */
import { useId, type ReactNode, type RefObject } from "react";
import "@/components/code/numbered.css";

const LINES_MIN = 18;

interface Props {
  label: string;
  value: string;
  change: (value: string) => void;
  /** The class of each line that is marked, by its number from 1. */
  marks?: ReadonlyMap<number | null, string>;
  area?: RefObject<HTMLTextAreaElement | null>;
  /** Says of what stands beside the text what it is. */
  beside: string;
  children: ReactNode;
}

export function NumberedText({ label, value, change, marks, area, beside, children }: Props) {
  const lines = value.split("\n").length;
  const id = useId();
  return (
    <div className="numbered-editor">
      <div className="numbered-text">
        <pre aria-hidden>
          {Array.from({ length: Math.max(lines, LINES_MIN) }, (_, at) => (
            <span key={at} className={marks?.get(at + 1)}>
              {at < lines ? at + 1 : ""}
              {"\n"}
            </span>
          ))}
        </pre>
        <textarea
          ref={area}
          aria-label={label}
          aria-describedby={id}
          value={value}
          rows={Math.max(lines, LINES_MIN)}
          wrap="off"
          spellCheck={false}
          onChange={(event) => change(event.target.value)}
        />
      </div>
      <section id={id} aria-label={beside} aria-live="polite" className="numbered-beside">
        <h3>{beside}</h3>
        {children}
      </section>
    </div>
  );
}

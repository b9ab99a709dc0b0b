/** Code with a copy button; plain at once, coloured when the colours have been loaded. */
import { useEffect, useState, type ReactNode } from "react";
import { CopyButton } from "@/components/code/CodeLine";
import { Folded } from "@/components/page/Folded";
import "@/components/code/code.css";

/** Longer texts are data, and colouring them would be felt. */
const COLOURED_CHARS_MAX = 30_000;

interface Props {
  text: string;
  language?: string;
  /** Still being written: neither coloured nor folded. */
  open?: boolean;
}

export function CodeBlock({ text, language = "", open = false }: Props) {
  const lines = text.replace(/\n$/, "").split("\n");
  return (
    <div className={lines.length === 1 ? "code-block one-line" : "code-block"}>
      <div className="code-bar">
        <span>{language}</span>
        <CopyButton text={text} />
      </div>
      {open ? (
        <pre tabIndex={0}>
          <code>{text}</code>
        </pre>
      ) : (
        <Folded lines={lines}>
          {(shown) => (
            <pre tabIndex={0}>
              <code>
                <Coloured text={shown.join("\n")} language={language} />
              </code>
            </pre>
          )}
        </Folded>
      )}
    </div>
  );
}

function Coloured({ text, language }: { text: string; language: string }) {
  const [coloured, setColoured] = useState<{ text: string; nodes: ReactNode[] } | null>(null);
  useEffect(() => {
    if (!language || text.length > COLOURED_CHARS_MAX) return undefined;
    let wanted = true;
    void import("@/components/code/highlight").then(({ highlight }) => {
      const nodes = highlight(text, language);
      if (wanted && nodes) setColoured({ text, nodes });
    });
    return () => {
      wanted = false;
    };
  }, [text, language]);
  return coloured?.text === text ? coloured.nodes : text;
}

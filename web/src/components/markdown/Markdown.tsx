/**
 * Markdown of a model or a person: no HTML, nothing fetched, links in a new tab. While it streams,
 * only its last block is drawn again.
 */
import { XMarkdown, type ComponentProps } from "@ant-design/x-markdown";
import { createContext, memo, useContext, type ComponentType, type ReactNode } from "react";
import { CodeBlock } from "@/components/code/CodeBlock";
import { MARKED, startOfMark, withoutMarks } from "@/components/markdown/markdownMarks";
import { markdownBlocks } from "@/components/markdown/markdownBlocks";
import { openBlock } from "@/components/markdown/openBlock";
import { componentTexts } from "@/components/texts";
import { useTexts } from "@/i18n";
import "@/components/markdown/markdown.css";

/** Draws a part that `withMarks` has marked. */
export type DrawMark = (index: number, children: ReactNode) => ReactNode;

interface Props {
  text: string;
  streaming?: boolean;
  drawMark?: DrawMark;
}

export function Markdown({ text, streaming = false, drawMark }: Props) {
  const blocks = markdownBlocks(text);
  return (
    <Marks.Provider value={drawMark ?? null}>
      <div className="markdown">
        {blocks.map((block, at) => (
          <BlockView
            key={block.start}
            text={block.text}
            streaming={streaming && at === blocks.length - 1}
          />
        ))}
      </div>
    </Marks.Provider>
  );
}

const Marks = createContext<DrawMark | null>(null);
const Open = createContext(false);

/** Words added to a paragraph that is longer still move all of it. */
const RUN_ON_CHARS_MAX = 30_000;

interface BlockProps {
  text: string;
  streaming: boolean;
}

function BlockView({ text, streaming }: BlockProps) {
  const { drawn, tail } = streaming ? openBlock(text) : { drawn: text, tail: "" };
  const Tail = drawn.length <= RUN_ON_CHARS_MAX ? "span" : "div";
  return (
    <>
      <Parsed text={drawn} streaming={streaming} />
      {tail && <Tail className="markdown-tail">{withoutMarks(tail)}</Tail>}
    </>
  );
}

const Parsed = memo(({ text, streaming }: BlockProps) => (
  <Open.Provider value={streaming}>
    <XMarkdown
      content={text}
      components={COMPONENTS}
      config={CONFIG}
      dompurifyConfig={PURIFY}
      escapeRawHtml
      disableDefaultStyles
      streaming={streaming ? STREAMING : SETTLED}
    />
  </Open.Provider>
));
Parsed.displayName = "MarkdownBlock";

const STREAMING = { hasNextChunk: true };
const SETTLED = { hasNextChunk: false };

// The parser escapes raw HTML; this list holds even if it lets something through.
const PURIFY = {
  ALLOWED_TAGS: (
    "p br hr h1 h2 h3 h4 h5 h6 strong em del code pre ul ol li blockquote a img table thead tbody tr th td input"
  ).split(" "),
  ALLOWED_ATTR: ["href", "title", "alt", "src", "align", "class", "start", "checked", "type", "index"],
};

const CONFIG = {
  gfm: true,
  hooks: { postprocess: withoutMarks },
  extensions: [
    {
      name: "mark",
      level: "inline" as const,
      start: (text: string) => {
        const at = startOfMark(text);
        return at === -1 ? undefined : at;
      },
      tokenizer(text: string) {
        const found = MARKED.exec(text);
        if (!found) return undefined;
        return { type: "mark", raw: found[0], index: found[1], text: found[2] };
      },
      renderer: (token: { index?: string; text?: string }) =>
        `<da-mark index="${token.index}">${escaped(token.text ?? "")}</da-mark>`,
    },
  ],
};

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

type Drawn = ComponentProps<{ href?: string; src?: string; alt?: string; index?: string; checked?: boolean }>;

function Marked({ index, children }: Drawn) {
  const draw = useContext(Marks);
  return draw ? draw(Number(index), children) : children;
}

function Code({ children, block, lang, streamStatus }: Drawn) {
  const open = useContext(Open);
  if (!block) return <code>{children}</code>;
  const language = lang?.split(/\s/)[0] ?? "";
  return <CodeBlock text={textOf(children)} language={language} open={open && streamStatus === "loading"} />;
}

const textOf = (children: ReactNode): string =>
  Array.isArray(children) ? children.map(textOf).join("") : typeof children === "string" ? children : "";

/** Only what leads somewhere outside is a link; a path inside a workspace is not one here. */
function Link({ href, children }: Drawn) {
  if (!href || !/^(https?:|mailto:)/i.test(href)) return <span title={href}>{children}</span>;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

/** A picture from elsewhere is not fetched: its address could carry data away. */
function Picture({ src, alt }: Drawn) {
  const t = useTexts(componentTexts);
  const name = alt || src || "";
  return <Link {...({ href: src } as Drawn)}>{t("image_link", { name })}</Link>;
}

const Table = ({ children }: Drawn) => (
  <div className="markdown-table">
    <table>{children}</table>
  </div>
);

const Checkbox = ({ checked }: Drawn) => <span>{checked ? "☑ " : "☐ "}</span>;
const Plain = ({ children }: Drawn) => children;

/** An answer stands inside a page, below its headings. */
const heading = (Tag: "h3" | "h4" | "h5" | "h6") => {
  const Heading = ({ children }: Drawn) => <Tag>{children}</Tag>;
  return Heading;
};

const COMPONENTS = {
  "da-mark": Marked,
  a: Link,
  img: Picture,
  code: Code,
  pre: Plain,
  table: Table,
  input: Checkbox,
  h1: heading("h3"),
  h2: heading("h4"),
  h3: heading("h5"),
  h4: heading("h6"),
  h5: heading("h6"),
} as Record<string, ComponentType<ComponentProps>>;

/** A call unfolded: each kind of tool has a card of its own, the others show their JSON. */
import { Flex, Typography } from "antd";
import { Suspense, type ReactNode } from "react";
import { CodeBlock } from "@/components/code/CodeBlock";
import { JsonView } from "@/components/code/JsonView";
import { Markdown } from "@/components/markdown/Markdown";
import { Waiting } from "@/components/states/Waiting";
import { lazyPart } from "@/pages/chat/lazyPart";
import { kindOf, mcpName, resultIdOf, resultText } from "@/pages/chat/transcript/calls/describe";
import { FileChanges } from "@/pages/chat/transcript/calls/FileChanges";
import { Output } from "@/pages/chat/transcript/calls/Output";
import { transcriptTexts } from "@/pages/chat/transcript/texts";
import type { CallItem } from "@/stream/conversation";
import type { JsonObject } from "@/stream/events";
import { useTexts } from "@/i18n";
import { useDataText } from "@/i18n/dataTexts";

const ResultGrid = lazyPart("ResultGrid", () => import("@/components/tables/ResultGrid"));

export function Card({ call }: { call: CallItem }) {
  switch (kindOf(call.tool)) {
    case "data":
      return <DataCard call={call} />;
    case "file":
      return <FileCard call={call} />;
    case "shell":
      return <ShellCard call={call} />;
    case "web":
      return <WebCard call={call} />;
    case "mcp":
      return <McpCard call={call} />;
    default:
      return <AnyCard call={call} />;
  }
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
/** A call that was cut off is as little done as one that failed. */
const failed = (call: CallItem): boolean => call.result !== null && call.result.status !== "success";

function DataCard({ call }: { call: CallItem }) {
  const t = useTexts(transcriptTexts);
  const said = useDataText();
  const { sql, source, ...rest } = call.args;
  const resultId = resultIdOf(call);
  const text = failed(call) ? said(resultText(call)) : resultText(call);
  return (
    <Flex vertical gap={8}>
      {isText(source) && (
        <Typography.Text type="secondary" className="small">
          {t("source", { source })}
        </Typography.Text>
      )}
      {isText(sql) ? <CodeBlock language="sql" text={sql} /> : <Arguments args={rest} />}
      {resultId !== null ? (
        <Suspense fallback={<Waiting />}>
          <ResultGrid resultId={resultId} />
        </Suspense>
      ) : (
        call.result && <Output text={text} />
      )}
    </Flex>
  );
}

function FileCard({ call }: { call: CallItem }) {
  const changed = call.files.filter((file) => file.diff);
  if (changed.length > 0 && !failed(call)) return <FileChanges files={changed} />;
  return (
    <Flex vertical gap={8}>
      <Arguments args={call.args} />
      {call.result && <Output text={resultText(call)} />}
    </Flex>
  );
}

function ShellCard({ call }: { call: CallItem }) {
  const t = useTexts(transcriptTexts);
  const code = call.result?.receipt?.exit_code;
  const python = call.tool === "code_executor";
  const command = call.args.command ?? call.args.code;
  return (
    <Flex vertical gap={8}>
      {isText(command) && <CodeBlock language={python ? "python" : "bash"} text={command} />}
      {call.result && <Output text={resultText(call)} />}
      {typeof code === "number" && (
        <Typography.Text type="secondary" className="small">
          {t("exit_code", { code })}
        </Typography.Text>
      )}
      <FileChanges files={call.files} />
    </Flex>
  );
}

/** A page was made Markdown of; it is a stranger's text like any other. */
function WebCard({ call }: { call: CallItem }) {
  const { url, query, ...rest } = call.args;
  const readable = call.tool === "fetch_url" || call.tool === "web_search";
  return (
    <Flex vertical gap={8}>
      {isText(url) && (
        <a href={/^https?:/i.test(url) ? url : undefined} target="_blank" rel="noopener noreferrer">
          {url}
        </a>
      )}
      {isText(query) && <Typography.Text strong>{query}</Typography.Text>}
      <Arguments args={rest} />
      {call.result &&
        (readable && !failed(call) ? (
          <div className="web-page" tabIndex={0} role="group" aria-label={isText(url) ? url : String(query)}>
            <Markdown text={resultText(call)} />
          </div>
        ) : (
          <Output text={resultText(call)} />
        ))}
    </Flex>
  );
}

function McpCard({ call }: { call: CallItem }) {
  const t = useTexts(transcriptTexts);
  return (
    <Flex vertical gap={8}>
      <Typography.Text type="secondary" className="small">
        {t("server", { server: mcpName(call.tool).server })}
      </Typography.Text>
      <AnyCard call={call} />
    </Flex>
  );
}

function AnyCard({ call }: { call: CallItem }) {
  const t = useTexts(transcriptTexts);
  return (
    <Flex vertical gap={8}>
      <Named name={t("arguments")}>
        <JsonView value={call.args} />
      </Named>
      {call.result && (
        <Named name={t("result")}>
          <Result call={call} />
        </Named>
      )}
      <FileChanges files={call.files} />
    </Flex>
  );
}

function Result({ call }: { call: CallItem }) {
  const text = resultText(call);
  if (!/^\s*[[{]/.test(text)) return <Output text={text} />;
  try {
    return <JsonView value={JSON.parse(text)} />;
  } catch {
    return <Output text={text} />;
  }
}

function Named({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Typography.Text type="secondary" className="small">
        {name}
      </Typography.Text>
      {children}
    </div>
  );
}

/** Arguments that fit on a line each; the one a card shows by itself is left out by it. */
function Arguments({ args }: { args: JsonObject }) {
  const entries = Object.entries(args).filter(([, value]) => value !== null && value !== "");
  if (entries.length === 0) return null;
  if (entries.some(([, value]) => typeof value === "object" || String(value).length > 200)) {
    return <JsonView value={args} />;
  }
  return (
    <dl className="arguments">
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{String(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

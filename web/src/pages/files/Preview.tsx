/** A file beside its folder: what can be shown is, the rest is a download. */
import { DownloadOutlined } from "@ant-design/icons";
import { Alert, Button, Drawer } from "antd";
import { lazy, Suspense, useMemo } from "react";
import { CodeBlock } from "@/components/code/CodeBlock";
import { EmptyState } from "@/components/states/EmptyState";
import { JsonView } from "@/components/code/JsonView";
import { Resource } from "@/components/states/Resource";
import { RowsTable } from "@/components/tables/RowsTable";
import { Waiting } from "@/components/states/Waiting";
import { useTexts } from "@/i18n";
import { formatBytes } from "@/i18n/format";
import { readCsv } from "@/pages/files/csv";
import { languageOf, previewKind } from "@/pages/files/naming";
import { downloadUrl, useBeginning, type Beginning, type FileInfo } from "@/pages/files/queries";
import { texts } from "@/pages/files/texts";

const Markdown = lazy(() => import("@/components/markdown/Markdown").then((m) => ({ default: m.Markdown })));
const Chart = lazy(() => import("@/components/charts/Chart").then((m) => ({ default: m.Chart })));
const ROWS_MAX = 200;

interface Props {
  workspaceId: string;
  /** Null when the address names a file that is not in the folder. */
  file: FileInfo | null;
  close: () => void;
}

export function Preview({ workspaceId, file, close }: Props) {
  const t = useTexts(texts);
  return (
    <Drawer
      open
      size="large"
      onClose={close}
      title={
        <span role="heading" aria-level={2}>
          {file?.name ?? t("preview")}
        </span>
      }
      extra={
        file && (
          <Button icon={<DownloadOutlined />} href={downloadUrl(workspaceId, file)} download>
            {t("download")}
          </Button>
        )
      }
    >
      {file ? <Shown workspaceId={workspaceId} file={file} /> : <EmptyState title={t("preview_missing")} />}
    </Drawer>
  );
}

function Shown({ workspaceId, file }: { workspaceId: string; file: FileInfo }) {
  const t = useTexts(texts);
  const kind = previewKind(file.name);
  const beginning = useBeginning(workspaceId, file, kind !== "image" && kind !== "none");
  if (kind === "none") return <Unshown />;
  if (kind === "image") {
    return <img src={downloadUrl(workspaceId, file)} alt={file.name} style={{ maxWidth: "100%" }} />;
  }
  return (
    <Suspense fallback={<Waiting />}>
      <Resource query={beginning}>
        {(read) => (
          <>
            {read.cut && (
              <Alert
                type="info"
                showIcon
                style={{ marginBottom: 12 }}
                title={t("preview_cut", { size: formatBytes(read.bytes.length) })}
              />
            )}
            <Text file={file} read={read} />
          </>
        )}
      </Resource>
    </Suspense>
  );
}

function Text({ file, read }: { file: FileInfo; read: Beginning }) {
  const t = useTexts(texts);
  const text = useMemo(() => new TextDecoder().decode(read.bytes), [read]);
  if (read.bytes.length === 0) return <EmptyState title={t("preview_empty")} />;
  if (read.bytes.includes(0)) return <Unshown />;
  const kind = previewKind(file.name);
  if (kind === "markdown") return <Markdown text={text} />;
  if (kind === "csv") return <Csv text={text} />;
  if (kind === "json" || kind === "chart") {
    const value = parsed(text);
    if (kind === "chart" && typeof value === "object" && value !== null) {
      return <Chart spec={value} title={file.name} />;
    }
    if (value !== undefined) return <JsonView value={value} />;
  }
  return <CodeBlock text={text} language={languageOf(file.name)} />;
}

function Csv({ text }: { text: string }) {
  const t = useTexts(texts);
  const [head = [], ...rows] = useMemo(() => readCsv(text, ROWS_MAX + 1), [text]);
  return (
    <>
      {rows.length >= ROWS_MAX && <p>{t("preview_rows", { rows: ROWS_MAX })}</p>}
      <RowsTable columns={head.map((name) => ({ name }))} rows={rows} />
    </>
  );
}

function Unshown() {
  const t = useTexts(texts);
  return <EmptyState title={t("preview_none")}>{t("preview_none_next")}</EmptyState>;
}

/** A JSON that was cut, or is none, is shown as text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

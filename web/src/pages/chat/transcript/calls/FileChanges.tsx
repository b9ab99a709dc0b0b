/** What happened to files: each with its diff. */
import { Typography } from "antd";
import { DiffView } from "@/components/diff/DiffView";
import type { FileChange } from "@/stream/conversation";
import { useWords } from "@/i18n/words.texts";

export function FileChanges({ files }: { files: readonly FileChange[] }) {
  const word = useWords();
  return files.map((file, at) => (
    <div key={at} className="file-change">
      <Typography.Text code>{file.file_path}</Typography.Text>{" "}
      <Typography.Text type="secondary" className="small">
        {word("operation", file.operation)}
        {file.status !== "success" && ` · ${file.status}`}
      </Typography.Text>
      {file.diff && <DiffView diff={file.diff} />}
    </div>
  ));
}

import { Alert, Progress, Typography } from "antd";
import { useTexts } from "@/i18n";
import { formatBytes, formatNumber } from "@/i18n/format";
import type { Workspace } from "@/pages/files/queries";
import { texts } from "@/pages/files/texts";

const NEAR = 0.8;

export function Quota({ workspace }: { workspace: Workspace }) {
  const t = useTexts(texts);
  const share = Math.max(
    workspace.current_size_bytes / Math.max(1, workspace.max_size_bytes),
    workspace.current_file_count / Math.max(1, workspace.max_files),
  );
  const said = t("quota", {
    used: formatBytes(workspace.current_size_bytes),
    max: formatBytes(workspace.max_size_bytes),
    files: formatNumber(workspace.current_file_count),
    files_max: formatNumber(workspace.max_files),
  });
  return (
    <div style={{ margin: "8px 0 12px" }}>
      <Progress
        aria-label={said}
        size="small"
        percent={Math.min(100, Math.round(share * 100))}
        status={share >= 1 ? "exception" : "normal"}
        {...(share >= NEAR && share < 1 ? { strokeColor: "var(--da-color-warning)" } : {})}
      />
      <Typography.Text type="secondary">{said}</Typography.Text>
      {share >= NEAR && <Alert type="warning" showIcon title={t("quota_near")} />}
    </div>
  );
}

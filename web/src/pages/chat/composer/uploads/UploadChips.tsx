import { CloseOutlined, FileOutlined, LoadingOutlined, WarningOutlined } from "@ant-design/icons";
import { Button, Flex, Typography } from "antd";
import { composerTexts } from "@/pages/chat/composer/texts";
import type { Upload } from "@/pages/chat/composer/uploads/uploads";
import { formatBytes } from "@/i18n/format";
import { useTexts } from "@/i18n";

interface Props {
  uploads: readonly Upload[];
  onAgain: (upload: Upload) => void;
  onRemove: (id: number) => void;
}

export function UploadChips({ uploads, onAgain, onRemove }: Props) {
  const t = useTexts(composerTexts);
  if (uploads.length === 0) return null;
  return (
    <Flex component="ul" wrap gap={6} className="chat-chips">
      {uploads.map((upload) => {
        const { state } = upload;
        return (
          <li key={upload.id} className="chat-chip">
            {state.kind === "uploading" && <LoadingOutlined aria-label={t("uploading")} />}
            {state.kind === "there" && <FileOutlined aria-label={t("uploaded")} />}
            {state.kind === "failed" && <WarningOutlined aria-hidden />}
            <span className="chat-chip-name">
              {state.kind === "there" ? state.path : upload.file.name}
            </span>
            <Typography.Text type={state.kind === "failed" ? "danger" : "secondary"}>
              {state.kind === "failed"
                ? t("upload_failed", { reason: state.reason })
                : formatBytes(upload.file.size)}
            </Typography.Text>
            {state.kind === "failed" && (
              <Button size="small" type="link" onClick={() => onAgain(upload)}>
                {t("upload_again")}
              </Button>
            )}
            <Button
              size="small"
              type="text"
              icon={<CloseOutlined />}
              aria-label={t("take_away", { name: upload.file.name })}
              onClick={() => onRemove(upload.id)}
            />
          </li>
        );
      })}
    </Flex>
  );
}

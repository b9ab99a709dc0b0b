import { CloseOutlined } from "@ant-design/icons";
import { Button, Flex, Progress, Typography } from "antd";
import { messageOf } from "@/api/errors";
import { useTexts } from "@/i18n";
import { texts } from "@/pages/files/texts";
import { cancelUpload, useUploads, type Upload } from "@/pages/files/uploads/uploads";

export function UploadList() {
  const t = useTexts(texts);
  const { items, clear } = useUploads();
  if (items.length === 0) return null;
  return (
    <section aria-label={t("uploading")} className="files-uploads">
      <Flex justify="space-between" align="center">
        <strong>{t("uploading")}</strong>
        <Button size="small" type="text" icon={<CloseOutlined />} aria-label={t("dismiss")} onClick={clear} />
      </Flex>
      {items.map((each) => (
        <One key={each.id} upload={each} />
      ))}
    </section>
  );
}

function One({ upload }: { upload: Upload }) {
  const t = useTexts(texts);
  const { id, name, state, share, error } = upload;
  const going = state === "waiting" || state === "sending";
  return (
    <Flex gap={8} align="center" wrap>
      <span style={{ flex: "1 1 160px", overflowWrap: "anywhere" }}>{name}</span>
      {going && (
        <>
          <Progress
            aria-label={name}
            percent={Math.round(share * 100)}
            size="small"
            style={{ flex: "2 1 120px", margin: 0 }}
          />
          <Button size="small" aria-label={t("upload_cancel", { name })} onClick={() => cancelUpload(id)}>
            {t("cancel")}
          </Button>
        </>
      )}
      {state === "done" && <Typography.Text type="success">{t("uploaded")}</Typography.Text>}
      {state === "cancelled" && <span>{t("upload_cancelled")}</span>}
      {state === "failed" && (
        <Typography.Text type="danger">
          {t("upload_failed")}: {messageOf(error)}
        </Typography.Text>
      )}
    </Flex>
  );
}

/** Beside a Save button: what is typed is not saved, whether the stored one changed since, and a way back. */
import { Alert, Button, Flex, Popconfirm, Typography } from "antd";
import { unsavedTexts } from "@/components/forms/unsaved.texts";
import { useTexts } from "@/i18n";

interface Props {
  isKept: boolean;
  /** Somebody else saved another one meanwhile. */
  isStale: boolean;
  discard: () => void;
}

export function UnsavedNote({ isKept, isStale, discard }: Props) {
  const t = useTexts(unsavedTexts);
  return (
    <Flex vertical gap={8} role="status">
      {isStale && <Alert type="warning" showIcon title={t("stale")} />}
      <Flex gap={8} align="center" wrap>
        <Typography.Text type={isKept ? "secondary" : "warning"}>{t(isKept ? "kept" : "not_kept")}</Typography.Text>
        <Popconfirm
          title={t("discard_ask")}
          okText={t("discard")}
          okButtonProps={{ danger: true }}
          cancelText={t("cancel")}
          onConfirm={discard}
        >
          <Button size="small">{t("discard")}</Button>
        </Popconfirm>
      </Flex>
    </Flex>
  );
}

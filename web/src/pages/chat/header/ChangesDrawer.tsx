/** What the agent did to files in this session, and the way back. */
import { Button, Collapse, Drawer, Typography } from "antd";
import { DiffView } from "@/components/diff/DiffView";
import { Resource } from "@/components/states/Resource";
import { headerTexts } from "@/pages/chat/header/texts";
import { useChanges } from "@/pages/chat/session/queries";
import { useDataText } from "@/i18n/dataTexts";
import { useTexts } from "@/i18n";
import { useWords } from "@/i18n/words.texts";

interface Props {
  sessionId: string;
  onClose: () => void;
  /** Takes everything back; not there for who may not. */
  onRewind: (() => void) | null;
}

export function ChangesDrawer({ sessionId, onClose, onRewind }: Props) {
  const t = useTexts(headerTexts);
  const said = useDataText();
  const word = useWords();
  const changes = useChanges(sessionId, true);
  return (
    <Drawer
      open
      onClose={onClose}
      title={t("changes")}
      size={720}
      extra={
        onRewind &&
        changes.data &&
        changes.data.files.length > 0 && <Button onClick={onRewind}>{t("take_back")}</Button>
      }
    >
      <Resource
        query={changes}
        isEmpty={({ files }) => files.length === 0}
        empty={<Typography.Text type="secondary">{t("no_changes")}</Typography.Text>}
      >
        {({ files, notices }) => (
          <>
            {notices.map((notice) => (
              <Typography.Paragraph key={notice} type="secondary">
                {said(notice)}
              </Typography.Paragraph>
            ))}
            <Collapse
              defaultActiveKey={files.slice(0, 3).map((file) => file.path)}
              items={files.map((file) => ({
                key: file.path,
                label: t("changed", { path: file.path, operation: word("operation", file.operation) }),
                children: file.diff ? (
                  <DiffView diff={file.diff} />
                ) : (
                  <Typography.Text type="secondary">{file.why ?? t("no_diff")}</Typography.Text>
                ),
              }))}
            />
          </>
        )}
      </Resource>
    </Drawer>
  );
}

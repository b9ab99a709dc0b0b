/** A file, dropped or chosen, is a source at once: it goes into the workspace and is opened. */
import { InboxOutlined } from "@ant-design/icons";
import { Alert, Button, Flex, Modal, Spin, Typography } from "antd";
import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { ForMembers } from "@/components/page/ForMembers";
import { useTexts } from "@/i18n";
import { sourceLink } from "@/pages/data/places";
import { ACCEPTED, freeName, isDataFile, safeName, UPLOADS } from "@/pages/data/sources/files";
import { useOwnFiles, useUpload } from "@/pages/data/sources/queries";
import { texts } from "@/pages/data/sources/texts";
import "@/pages/data/sources/upload.css";

export const UploadBox = () => (
  <ForMembers>
    <Box />
  </ForMembers>
);

function Box() {
  const t = useTexts(texts);
  const navigate = useNavigate();
  const files = useOwnFiles();
  const upload = useUpload();
  const chooser = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const [refused, setRefused] = useState<string | null>(null);
  const [doubled, setDoubled] = useState<File | null>(null);
  const taken = new Set((files.data ?? []).map((file) => file.path));
  const isTaken = (name: string) => taken.has(`${UPLOADS}/${name}`);

  const send = (file: File, name: string) => {
    setDoubled(null);
    upload.mutate({ file, name }, { onSuccess: (path) => void navigate(sourceLink(path)) });
  };
  const receive = (file: File | undefined) => {
    if (!file || upload.isPending) return;
    upload.reset();
    setRefused(isDataFile(file.name) ? null : file.name);
    if (!isDataFile(file.name)) return;
    const name = safeName(file.name);
    if (isTaken(name)) setDoubled(file);
    else send(file, name);
  };
  const keepBoth = (file: File) => {
    const names = new Set((files.data ?? []).map((each) => each.path.slice(UPLOADS.length + 1)));
    send(file, freeName(safeName(file.name), names));
  };
  return (
    <>
      <div
        className={over ? "upload over" : "upload"}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault();
          setOver(false);
          receive(event.dataTransfer.files[0]);
        }}
      >
        <Flex vertical align="center" gap={8}>
          <InboxOutlined className="upload-icon" aria-hidden />
          <Typography.Title level={2} style={{ fontSize: 16, margin: 0 }}>
            {t("drop")}
          </Typography.Title>
          <Typography.Text type="secondary">{t("drop_hint")}</Typography.Text>
          <input
            ref={chooser}
            type="file"
            hidden
            accept={ACCEPTED}
            aria-label={t("choose")}
            onChange={(event) => {
              receive(event.target.files?.[0]);
              // The same file again is a choice too.
              event.target.value = "";
            }}
          />
          {upload.isPending ? (
            <Flex gap={8} role="status">
              <Spin size="small" /> {t("uploading", { name: upload.variables.name })}
            </Flex>
          ) : (
            <Button type="primary" onClick={() => chooser.current?.click()}>
              {t("choose")}
            </Button>
          )}
        </Flex>
      </div>
      {refused && (
        <Alert type="warning" showIcon role="alert" title={t("not_data", { name: refused })} description={t("not_data_next")} />
      )}
      {upload.error && <ErrorNotice error={upload.error} />}
      <Modal
        open={doubled !== null}
        title={t("there_already", { name: doubled?.name ?? "" })}
        onCancel={() => setDoubled(null)}
        footer={
          doubled && [
            <Button key="both" onClick={() => keepBoth(doubled)}>
              {t("keep_both")}
            </Button>,
            <Button key="replace" type="primary" onClick={() => send(doubled, safeName(doubled.name))}>
              {t("replace")}
            </Button>,
          ]
        }
      >
        {t("there_already_hint")}
      </Modal>
    </>
  );
}

/** Shows how a source's text files are read, and lets the user change it. */
import { FileSearchOutlined } from "@ant-design/icons";
import { Button, Typography } from "antd";
import { useState } from "react";
import { isAdmin, mayWrite, useMe } from "@/api/me";
import { useChooseReading, useReading, type Reading } from "@/api/readings";
import { FormDialog } from "@/components/forms/FormDialog";
import { ReadingFields } from "@/components/readings/ReadingFields";
import { readingTexts } from "@/components/readings/texts";
import { Resource } from "@/components/states/Resource";
import { useTexts } from "@/i18n";
import { shownSource } from "@/pages/data/places";
import { useSources } from "@/pages/data/queries";
import { isTextFile } from "@/pages/data/sources/files";

export function ReadingButton({ source }: { source: string }) {
  const t = useTexts(readingTexts);
  const [open, setOpen] = useState(false);
  if (!useMayChoose(source)) return null;
  return (
    <>
      <Button icon={<FileSearchOutlined />} onClick={() => setOpen(true)}>
        {t("how")}
      </Button>
      {open && <ReadingDialog source={source} close={() => setOpen(false)} />}
    </>
  );
}

function ReadingDialog({ source, close }: { source: string; close: () => void }) {
  const t = useTexts(readingTexts);
  const reading = useReading(source);
  const choose = useChooseReading();
  return (
    <FormDialog<Reading>
      key={String(reading.isSuccess)}
      title={t("how_of", { name: shownSource(source) })}
      okText={t("save")}
      ready={reading.isSuccess}
      initialValues={reading.data}
      submit={(change) => choose.mutateAsync({ source, change })}
      close={close}
    >
      <Typography.Paragraph type="secondary">{t("hint")}</Typography.Paragraph>
      <Resource query={reading}>{() => <ReadingFields />}</Resource>
    </FormDialog>
  );
}

/** A named source of files is its owner's to change; a file of one's workspace one's own. */
function useMayChoose(source: string): boolean {
  const me = useMe();
  const sources = useSources();
  if (!mayWrite(me) || !sources.data) return false;
  const named = sources.data.find((each) => each.name === source);
  if (!named) return isTextFile(source);
  return named.kind === "files" && (isAdmin(me) || named.project_id !== null);
}

/** What a tool wrote; a cut one says so, and where the whole of it is. */
import { Alert, Typography } from "antd";
import { CodeBlock } from "@/components/code/CodeBlock";
import { cutOutput } from "@/pages/chat/transcript/calls/describe";
import { transcriptTexts } from "@/pages/chat/transcript/texts";
import { useTexts } from "@/i18n";

export function Output({ text, language = "" }: { text: string; language?: string }) {
  const t = useTexts(transcriptTexts);
  if (!text.trim()) return <Typography.Text type="secondary">{t("no_output")}</Typography.Text>;
  const cut = cutOutput(text);
  return (
    <>
      {cut && (
        <Alert
          type="info"
          className="output-cut"
          title={cut.path === null ? t("cut") : t("cut_at", { path: cut.path })}
        />
      )}
      <CodeBlock text={text} language={language} />
    </>
  );
}

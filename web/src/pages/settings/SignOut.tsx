import { Button, Popconfirm, Typography } from "antd";
import { ErrorNotice } from "@/components/ErrorNotice";
import { useTexts } from "@/i18n";
import { useMyChanges } from "./queries";
import { Section } from "./Section";
import { texts } from "./texts";

export function SignOut() {
  const t = useTexts(texts);
  const { signOutEverywhere } = useMyChanges();
  return (
    <Section title={t("out")}>
      <Typography.Paragraph type="secondary">{t("out_hint")}</Typography.Paragraph>
      {signOutEverywhere.error && <ErrorNotice error={signOutEverywhere.error} />}
      <Popconfirm
        title={t("out_ask")}
        okText={t("out_everywhere")}
        okButtonProps={{ danger: true }}
        onConfirm={() => signOutEverywhere.mutate()}
      >
        <Button danger loading={signOutEverywhere.isPending}>
          {t("out_everywhere")}
        </Button>
      </Popconfirm>
    </Section>
  );
}

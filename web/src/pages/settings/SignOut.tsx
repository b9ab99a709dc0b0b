import { Button, Popconfirm, Typography } from "antd";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { useMyChanges } from "@/pages/settings/queries";
import { Section } from "@/pages/settings/Section";
import { texts } from "@/pages/settings/texts";

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

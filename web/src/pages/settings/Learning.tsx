/** Whether patterns are used and learned in one's own runs. */
import { Flex, Switch, Typography } from "antd";
import { Link } from "react-router";
import type { Schemas } from "@/api/client";
import { ErrorNotice } from "@/components/states/ErrorNotice";
import { useTexts } from "@/i18n";
import { useMyChanges } from "@/pages/settings/queries";
import { Section } from "@/pages/settings/Section";
import { texts } from "@/pages/settings/texts";

export function Learning({ user }: { user: Schemas["UserInfo"] }) {
  const t = useTexts(texts);
  const { learn } = useMyChanges();
  return (
    <Section title={t("patterns")}>
      <Flex gap={8} align="center">
        <Switch
          id="learn"
          aria-describedby="learn-hint"
          checked={user.learns_patterns}
          loading={learn.isPending}
          onChange={(wanted) => learn.mutate(wanted)}
        />
        <label htmlFor="learn">{t("learn")}</label>
      </Flex>
      <Typography.Paragraph type="secondary" id="learn-hint" style={{ margin: "8px 0 0", maxWidth: 620 }}>
        {t("learn_hint")}
      </Typography.Paragraph>
      <Link to="/patterns?whose=mine">{t("to_patterns")}</Link>
      {learn.error && <ErrorNotice error={learn.error} />}
    </Section>
  );
}

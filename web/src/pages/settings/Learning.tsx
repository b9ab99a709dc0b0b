/** Whether patterns and memories are used and learned in one's own runs. */
import { Link } from "react-router";
import type { Schemas } from "@/api/client";
import { useTexts } from "@/i18n";
import { OwnSwitch } from "@/pages/settings/OwnSwitch";
import { useMyChanges } from "@/pages/settings/queries";
import { Section } from "@/pages/settings/Section";
import { texts } from "@/pages/settings/texts";

export function Learning({ user }: { user: Schemas["UserInfo"] }) {
  const t = useTexts(texts);
  const { learn, remember } = useMyChanges();
  return (
    <>
      <Section title={t("patterns")}>
        <OwnSwitch id="learn" label={t("learn")} hint={t("learn_hint")} checked={user.learns_patterns} change={learn} />
        <Link to="/patterns?whose=mine">{t("to_patterns")}</Link>
      </Section>
      <Section title={t("memory")}>
        <OwnSwitch id="remember" label={t("remember")} hint={t("remember_hint")} checked={user.uses_memory} change={remember} />
        <Link to="/memory">{t("to_memory")}</Link>
      </Section>
    </>
  );
}

/** What this browser remembers: nothing here goes to the server. */
import { Alert, Flex, Radio, Switch } from "antd";
import { useState } from "react";
import { usePreferences, type ThemeChoice } from "@/app/state/preferences";
import { useTexts } from "@/i18n";
import { Section } from "@/pages/settings/Section";
import { texts } from "@/pages/settings/texts";

const THEMES: ThemeChoice[] = ["system", "light", "dark"];

export function Browser() {
  const t = useTexts(texts);
  const { theme, language, set } = usePreferences();
  return (
    <Section title={t("browser")}>
      <Flex vertical gap={16}>
        <div role="group" aria-label={t("language")}>
          <div style={{ marginBottom: 4 }}>{t("language")}</div>
          <Radio.Group
            value={language}
            onChange={(event) => set({ language: event.target.value })}
            options={[
              { value: "en", label: "English" },
              { value: "zh", label: "中文" },
            ]}
          />
        </div>
        <div role="group" aria-label={t("colours")}>
          <div style={{ marginBottom: 4 }}>{t("colours")}</div>
          <Radio.Group
            value={theme}
            onChange={(event) => set({ theme: event.target.value })}
            options={THEMES.map((choice) => ({ value: choice, label: t(choice) }))}
          />
        </div>
        <Notify />
      </Flex>
    </Section>
  );
}

function Notify() {
  const t = useTexts(texts);
  const { notify, set } = usePreferences();
  const [denied, setDenied] = useState(
    "Notification" in window && Notification.permission === "denied",
  );
  if (!("Notification" in window)) return <Alert type="info" title={t("notify_missing")} />;
  const change = async (wanted: boolean) => {
    const allowed = wanted && (await Notification.requestPermission()) === "granted";
    setDenied(wanted && !allowed);
    set({ notify: allowed });
  };
  return (
    <div>
      <Flex gap={8} align="center">
        <Switch id="notify" checked={notify} onChange={(wanted) => void change(wanted)} />
        <label htmlFor="notify">{t("notify")}</label>
      </Flex>
      {denied && <Alert type="warning" title={t("notify_denied")} style={{ marginTop: 8 }} />}
    </div>
  );
}

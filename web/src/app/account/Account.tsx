import { TranslationOutlined, UserOutlined } from "@ant-design/icons";
import { useMutation } from "@tanstack/react-query";
import { Button, Dropdown } from "antd";
import { api } from "@/api/client";
import { useMe } from "@/api/me";
import { beginAnew, leave } from "@/app/account/leaving";
import { usePreferences, type ThemeChoice } from "@/app/state/preferences";
import { appTexts } from "@/app/texts";
import { useTexts, type Language } from "@/i18n";
import { useWords } from "@/i18n/words.texts";

const THEMES: ThemeChoice[] = ["system", "light", "dark"];

export function Account() {
  const t = useTexts(appTexts);
  const word = useWords();
  const me = useMe();
  const { theme, language, set } = usePreferences();
  const signOut = useMutation({
    mutationFn: () => api.POST("/api/v1/auth/logout"),
    onSuccess: leave,
  });
  const goOver = useMutation({
    mutationFn: (tenant_id: string) => api.POST("/api/v1/auth/tenant", { body: { tenant_id } }),
    onSuccess: beginAnew,
  });
  const others = (me.tenants ?? []).filter((tenant) => tenant !== me.tenant_id);
  return (
    <>
      <Button
        type="text"
        icon={<TranslationOutlined />}
        aria-label={t("language")}
        onClick={() => set({ language: (language === "zh" ? "en" : "zh") satisfies Language })}
      >
        {language === "zh" ? "EN" : "中"}
      </Button>
      <Dropdown
        trigger={["click"]}
        menu={{
          items: [
            { key: "who", label: t("account", { user: me.name, role: word("role", me.role) }), disabled: true },
            {
              type: "group",
              label: t("theme"),
              children: THEMES.map((choice) => ({
                key: `theme ${choice}`,
                label: `${choice === theme ? "✓ " : ""}${t(`theme_${choice}`)}`,
                onClick: () => set({ theme: choice }),
              })),
            },
            ...(others.length
              ? [
                  {
                    type: "group" as const,
                    label: t("tenant"),
                    children: others.map((tenant) => ({
                      key: `tenant ${tenant}`,
                      label: tenant,
                      onClick: () => goOver.mutate(tenant),
                    })),
                  },
                ]
              : []),
            { type: "divider" },
            { key: "out", label: t("sign_out"), onClick: () => signOut.mutate() },
          ],
        }}
      >
        <Button
          type="text"
          icon={<UserOutlined />}
          aria-label={t("account", { user: me.name, role: word("role", me.role) })}
        />
      </Dropdown>
    </>
  );
}

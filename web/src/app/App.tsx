import { QueryClientProvider } from "@tanstack/react-query";
import { App as AntApp, ConfigProvider } from "antd";
import enGB from "antd/locale/en_GB";
import zhCN from "antd/locale/zh_CN";
import { useEffect } from "react";
import { BrowserRouter } from "react-router";
import { BASE_PATH } from "@/api/client";
import { Catcher } from "@/app/errors/Catcher";
import { Entrance } from "@/app/account/Entrance";
import { watchForMissingCode } from "@/app/errors/missingCode";
import { newQueryClient } from "@/app/state/queryClient";
import { styleNonce } from "@/app/style/styleNonce";
import { themeOf, useDark } from "@/app/style/theme";
import { useLanguage } from "@/i18n";
import "@/app/state/preferences";

const queries = newQueryClient();
watchForMissingCode();

export function App() {
  const dark = useDark();
  const language = useLanguage();
  useEffect(() => {
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    document.documentElement.style.colorScheme = dark ? "dark" : "light";
  }, [dark]);
  return (
    <ConfigProvider
      theme={themeOf(dark)}
      locale={language === "zh" ? zhCN : enGB}
      csp={styleNonce ? { nonce: styleNonce } : undefined}
    >
      <AntApp style={{ height: "100%" }}>
        <QueryClientProvider client={queries}>
          <BrowserRouter basename={BASE_PATH || "/"}>
            <Catcher>
              <Entrance />
            </Catcher>
          </BrowserRouter>
        </QueryClientProvider>
      </AntApp>
    </ConfigProvider>
  );
}

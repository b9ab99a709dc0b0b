/** Colours in light and dark, for Ant Design and for what is drawn by others (charts, code). */
import { theme as antd, type ThemeConfig } from "antd";
import { useSyncExternalStore } from "react";
import { usePreferences } from "@/app/state/preferences";

const system = matchMedia("(prefers-color-scheme: dark)");
const stillness = matchMedia("(prefers-reduced-motion: reduce)");

function useSystemDark(): boolean {
  return useSyncExternalStore(
    (changed) => {
      system.addEventListener("change", changed);
      return () => system.removeEventListener("change", changed);
    },
    () => system.matches,
  );
}

export function useDark(): boolean {
  const choice = usePreferences((state) => state.theme);
  const systemDark = useSystemDark();
  return choice === "system" ? systemDark : choice === "dark";
}

// Ant Design's own blue on its own pale blue misses WCAG AA; these pass in both themes.
export function themeOf(dark: boolean): ThemeConfig {
  return {
    algorithm: dark ? antd.darkAlgorithm : antd.defaultAlgorithm,
    cssVar: { key: "da", prefix: "da" },
    token: {
      motion: !stillness.matches,
      colorPrimary: dark ? "#5b9dff" : "#0958d9",
      // White on what the pointer is over, too.
      ...(dark ? {} : { colorPrimaryHover: "#1e66dc" }),
      colorLink: dark ? "#7ab8ff" : "#0958d9",
      // Made by itself, it could not be read.
      colorLinkHover: dark ? "#a3cdff" : "#1554c0",
      colorLinkActive: dark ? "#5b9dff" : "#063d99",
      // Red, amber and green text must be readable, too.
      colorError: dark ? "#ff7875" : "#cf1322",
      colorWarning: dark ? "#ffc53d" : "#a05a00",
      colorSuccess: dark ? "#73d13d" : "#237804",
      // Made from such dark colours, their grounds would be muddy.
      ...(dark
        ? {}
        : {
            // Made lighter by itself, white on it could not be read.
            colorPrimaryHover: "#1554c0",
            colorSuccessBg: "#f6ffed",
            colorSuccessBorder: "#b7eb8f",
            colorWarningBg: "#fffbe6",
            colorWarningBorder: "#ffe58f",
          }),
      colorTextSecondary: dark ? "rgba(255,255,255,0.72)" : "rgba(0,0,0,0.68)",
      colorTextTertiary: dark ? "rgba(255,255,255,0.66)" : "rgba(0,0,0,0.62)",
      colorTextDescription: dark ? "rgba(255,255,255,0.66)" : "rgba(0,0,0,0.62)",
      colorTextPlaceholder: dark ? "rgba(255,255,255,0.62)" : "rgba(0,0,0,0.58)",
      colorTextQuaternary: dark ? "rgba(255,255,255,0.62)" : "rgba(0,0,0,0.58)",
      colorBgLayout: dark ? "#101318" : "#f6f7f9",
      colorBgContainer: dark ? "#181c23" : "#ffffff",
      colorBgElevated: dark ? "#20252e" : "#ffffff",
      borderRadius: 8,
      fontFamily:
        'system-ui, -apple-system, "Segoe UI", "PingFang SC", "Noto Sans CJK SC", "Noto Sans", sans-serif',
      fontFamilyCode: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "Noto Sans Mono", monospace',
    },
    components: {
      Layout: { siderBg: dark ? "#14181e" : "#ffffff", headerBg: dark ? "#14181e" : "#ffffff" },
      Menu: {
        itemBg: "transparent",
        subMenuItemBg: "transparent",
        ...(dark ? { itemSelectedColor: "#a8ccff" } : {}),
      },
      Button: { primaryColor: dark ? "#08152b" : "#ffffff" },
    },
  };
}

/** The commands every page has, and the one listener that runs commands by their keys. */
import { useEffect } from "react";
import { useNavigate } from "react-router";
import { mayWrite, useMe } from "@/api/me";
import { isWriting, keysOf, useCommandRegistry, useCommands } from "@/app/palette/commands";
import { layerIsOpen } from "@/app/state/layers";
import { linkOf, pagesFor } from "@/app/navigation/pages";
import { usePreferences } from "@/app/state/preferences";
import { appTexts } from "@/app/texts";
import { say, useTexts } from "@/i18n";

export function GlobalKeys({ toggleSidebar }: { toggleSidebar: () => void }) {
  const t = useTexts(appTexts);
  const me = useMe();
  const navigate = useNavigate();
  const { language, theme, set } = usePreferences();
  const show = useCommandRegistry((registry) => registry.show);
  useCommands([
    ...pagesFor(me).map((page) => ({
      id: `go ${page.path}`,
      title: say(page.texts, "title"),
      hint: say(page.texts, "hint"),
      group: t("go"),
      ...(page.keys ? { keys: page.keys } : {}),
      run: () => void navigate(linkOf(page)),
    })),
    ...(mayWrite(me)
      ? [
          {
            id: "chat.new",
            title: t("new_chat"),
            group: t("actions"),
            keys: "mod+shift+o",
            run: () => void navigate("/chat"),
          },
        ]
      : []),
    {
      id: "palette",
      title: t("palette"),
      group: t("actions"),
      keys: "mod+k",
      run: () => show("palette"),
    },
    { id: "keys", title: t("keys"), group: t("actions"), keys: "shift+?", run: () => show("help") },
    { id: "sidebar", title: t("sidebar"), group: t("actions"), keys: "mod+b", run: toggleSidebar },
    {
      id: "language",
      title: language === "zh" ? "English" : "中文",
      hint: t("language"),
      group: t("actions"),
      run: () => set({ language: language === "zh" ? "en" : "zh" }),
    },
    {
      id: "theme",
      title: theme === "dark" ? t("theme_light") : t("theme_dark"),
      hint: t("theme"),
      group: t("actions"),
      run: () => set({ theme: theme === "dark" ? "light" : "dark" }),
    },
  ]);
  useEffect(() => {
    // Asked before anybody hears of the key: afterwards the layer it closes may be gone.
    let overThePage = false;
    const look = (event: KeyboardEvent) => {
      overThePage = event.key === "Escape" && layerIsOpen();
    };
    const pressed = (event: KeyboardEvent) => {
      if (event.isComposing || event.defaultPrevented || overThePage) return;
      // The second name of the palette, from editors.
      const keys = keysOf(event) === "mod+shift+p" ? "mod+k" : keysOf(event);
      if (!keys.startsWith("mod+") && isWriting(event.target)) return;
      const { commands } = useCommandRegistry.getState();
      const command = Object.values(commands).find((each) => each.keys === keys);
      if (!command) return;
      event.preventDefault();
      command.run();
    };
    window.addEventListener("keydown", look, true);
    window.addEventListener("keydown", pressed);
    return () => {
      window.removeEventListener("keydown", look, true);
      window.removeEventListener("keydown", pressed);
    };
  }, []);
  return null;
}

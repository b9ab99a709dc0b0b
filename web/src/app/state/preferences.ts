/** What a person chose for this browser: language, colours, the project they work in. */
import { create } from "zustand";
import { persist } from "zustand/middleware";
import { changeLanguage, type Language } from "@/i18n";

export type ThemeChoice = "system" | "light" | "dark";

interface Preferences {
  theme: ThemeChoice;
  language: Language;
  sidebarOpen: boolean;
  /** The project whose data, files and sessions are shown; null is the person's own work. */
  projectId: string | null;
  notify: boolean;
  set: (change: Partial<Omit<Preferences, "set">>) => void;
}

const spoken: Language =
  typeof navigator !== "undefined" && navigator.language.toLowerCase().startsWith("zh")
    ? "zh"
    : "en";

export const usePreferences = create<Preferences>()(
  persist(
    (set) => ({
      theme: "system",
      language: spoken,
      sidebarOpen: true,
      projectId: null,
      notify: false,
      set: (change) => set(change),
    }),
    // The name is read by public/first-paint.js too.
    { name: "dataagent.preferences" },
  ),
);

changeLanguage(usePreferences.getState().language);
usePreferences.subscribe((now, before) => {
  if (now.language !== before.language) changeLanguage(now.language);
});

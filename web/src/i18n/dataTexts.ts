/** What the server's data tools say in English, in the language of now. */
import { useEffect, useSyncExternalStore } from "react";
import { currentLanguage, useLanguage } from "@/i18n";
import { translationOf } from "@/i18n/translation";

type Translate = (text: string) => string;

let chinese: Translate | null = null;
const listeners = new Set<() => void>();

/** Fetches the Chinese sentences; only who reads Chinese needs them. */
export async function loadDataTexts(): Promise<void> {
  if (chinese) return;
  const { default: tables } = await import("@/i18n/data.zh.json");
  chinese = translationOf(tables);
  for (const listener of listeners) listener();
}

/** Says a text of the data tools; outside components, where nothing is drawn again. */
export const dataText: Translate = (text) => (currentLanguage() === "zh" && chinese ? chinese(text) : text);

/** The same, drawn again once the sentences are there. */
export function useDataText(): Translate {
  const language = useLanguage();
  useSyncExternalStore(subscribe, () => chinese);
  useEffect(() => {
    // Without them the text stands in English.
    if (language === "zh") loadDataTexts().catch(() => undefined);
  }, [language]);
  return dataText;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

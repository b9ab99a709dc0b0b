/**
 * Texts live beside what shows them, both languages in one place:
 *
 *     export const texts = defineTexts("files", { empty: "No files yet" }, { empty: "还没有文件" });
 *     const t = useTexts(texts);
 *
 * A key that one language lacks does not compile.
 */
import i18next from "i18next";
import { initReactI18next, useTranslation } from "react-i18next";

export type Language = "en" | "zh";
export const LANGUAGES: readonly Language[] = ["en", "zh"];

type Values = Record<string, string | number>;
export interface Texts<K extends string> {
  readonly name: string;
  readonly en: Readonly<Record<K, string>>;
  readonly zh: Readonly<Record<K, string>>;
}
export type Say<K extends string> = (key: K, values?: Values) => string;

/** Every catalogue that was defined, for the tests of parity. */
export const catalogues: Texts<string>[] = [];

void i18next.use(initReactI18next).init({
  lng: "en",
  fallbackLng: "en",
  resources: {},
  keySeparator: false,
  nsSeparator: false,
  interpolation: { escapeValue: false, prefix: "{", suffix: "}" },
});

export function defineTexts<K extends string>(
  name: string,
  en: Record<K, string>,
  zh: NoInfer<Record<K, string>>,
): Texts<K> {
  i18next.addResourceBundle("en", name, en);
  i18next.addResourceBundle("zh", name, zh);
  const texts = { name, en, zh };
  catalogues.push(texts);
  return texts;
}

/** Says a text in the language of now; outside components, where nothing is drawn again. */
export function say<K extends string>(texts: Texts<K>, key: K, values?: Values): string {
  return i18next.t(key, { ns: texts.name, ...values });
}

export function useTexts<K extends string>(texts: Texts<K>): Say<K> {
  const { t } = useTranslation(texts.name);
  return (key, values) => t(key, values);
}

/** The language of now; outside components, where nothing is drawn again. */
export const currentLanguage = (): Language => (i18next.language === "zh" ? "zh" : "en");

export function useLanguage(): Language {
  const { i18n } = useTranslation();
  return i18n.language === "zh" ? "zh" : "en";
}

export function changeLanguage(language: Language): void {
  void i18next.changeLanguage(language);
  if (typeof document !== "undefined") document.documentElement.lang = language;
}

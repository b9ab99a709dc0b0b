/** Numbers, times and sizes as people write them in the language of now. */
import { currentLanguage } from "@/i18n";

const language = () => (currentLanguage() === "zh" ? "zh-CN" : "en-GB");

export const formatNumber = (value: number): string =>
  new Intl.NumberFormat(language(), { maximumFractionDigits: 2 }).format(value);

export const formatCompact = (value: number): string =>
  new Intl.NumberFormat(language(), { notation: "compact", maximumFractionDigits: 1 }).format(value);

export const formatPercent = (share: number): string =>
  new Intl.NumberFormat(language(), { style: "percent", maximumFractionDigits: 0 }).format(share);

/** An unknown price is shown as unknown, never as 0. */
export function formatMoney(value: number | null | undefined, currency = "USD"): string | null {
  if (value === null || value === undefined) return null;
  const digits = value !== 0 && Math.abs(value) < 0.01 ? 4 : 2;
  return new Intl.NumberFormat(language(), {
    style: "currency",
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(value);
}

export const formatTime = (at: string | number | Date): string =>
  new Intl.DateTimeFormat(language(), { dateStyle: "medium", timeStyle: "short" }).format(date(at));

export const formatDay = (at: string | number | Date): string =>
  new Intl.DateTimeFormat(language(), { dateStyle: "medium" }).format(date(at));

export const formatClock = (at: string | number | Date): string =>
  new Intl.DateTimeFormat(language(), { timeStyle: "medium" }).format(date(at));

export function formatAgo(at: string | number | Date, now = Date.now()): string {
  const seconds = (date(at).getTime() - now) / 1000;
  const format = new Intl.RelativeTimeFormat(language(), { numeric: "auto" });
  for (const [unit, size] of UNITS) {
    if (Math.abs(seconds) >= size) return format.format(Math.round(seconds / size), unit);
  }
  return format.format(0, "second");
}

export function formatDuration(ms: number): string {
  const unit = DURATIONS[currentLanguage()];
  if (ms < 1000) return `${Math.round(ms)} ${unit.ms}`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} ${unit.s}`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} ${unit.min} ${seconds % 60} ${unit.s}`;
  return `${Math.floor(minutes / 60)} ${unit.h} ${minutes % 60} ${unit.min}`;
}

const DURATIONS = {
  en: { ms: "ms", s: "s", min: "min", h: "h" },
  zh: { ms: "毫秒", s: "秒", min: "分", h: "小时" },
} as const;

export function formatBytes(bytes: number): string {
  let value = bytes;
  for (const unit of ["B", "KB", "MB", "GB"]) {
    if (Math.abs(value) < 1000) return `${formatNumber(Number(value.toFixed(1)))} ${unit}`;
    value /= 1000;
  }
  return `${formatNumber(Number(value.toFixed(1)))} TB`;
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

/** The API writes ISO texts, events write seconds since 1970. */
function date(at: string | number | Date): Date {
  if (typeof at === "number") return new Date(at < 1e11 ? at * 1000 : at);
  return new Date(at);
}

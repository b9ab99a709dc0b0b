/** Cron lines: the common ones as choices and as words, all others field by field. */
import type { Say } from "@/i18n";
import type { texts } from "@/pages/reports/schedules/texts";

export const KINDS = ["hour", "day", "workday", "week", "month", "own"] as const;
export type Kind = (typeof KINDS)[number];

export interface Choice {
  kind: Kind;
  hour: number;
  minute: number;
  /** 1 is Monday, 0 is Sunday, as cron counts. */
  weekdays: number[];
  day: number;
  own: string;
}

const NUMBER = /^\d{1,2}$/;
const NUMBERS = /^\d{1,2}(,\d{1,2})*$/;
const EVERY_MINUTES = /^\*\/(\d{1,2})$/;

export function cronOf({ kind, hour, minute, weekdays, day, own }: Choice): string {
  switch (kind) {
    case "hour":
      return `${minute} * * * *`;
    case "day":
      return `${minute} ${hour} * * *`;
    case "workday":
      return `${minute} ${hour} * * 1-5`;
    case "week":
      return `${minute} ${hour} * * ${[...weekdays].sort().join(",") || "1"}`;
    case "month":
      return `${minute} ${hour} ${day} * *`;
    case "own":
      return own.trim();
  }
}

/** Reads a line back into choices; what is none of them stays a line. */
export function choiceOf(cron: string): Choice {
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = cron.trim().split(/\s+/);
  const choice: Choice = { kind: "own", hour: 8, minute: 0, weekdays: [1], day: 1, own: cron };
  if (!NUMBER.test(minute) || month !== "*") return choice;
  const at = { ...choice, minute: Number(minute) };
  if (hour === "*" && day === "*" && weekday === "*") return { ...at, kind: "hour" };
  if (!NUMBER.test(hour)) return choice;
  const timed = { ...at, hour: Number(hour) };
  if (day === "*" && weekday === "*") return { ...timed, kind: "day" };
  if (day === "*" && weekday === "1-5") return { ...timed, kind: "workday" };
  if (day === "*" && NUMBERS.test(weekday)) {
    // Cron knows two Sundays.
    return { ...timed, kind: "week", weekdays: weekday.split(",").map((each) => Number(each) % 7) };
  }
  if (NUMBER.test(day) && weekday === "*") return { ...timed, kind: "month", day: Number(day) };
  return choice;
}

export const clock = (hour: number, minute: number): string =>
  `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;

/** The name of a weekday in the language of now; 4 January 1970 was a Sunday. */
export const weekdayName = (weekday: number, language: string): string =>
  new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" }).format(
    new Date(Date.UTC(1970, 0, 4 + weekday)),
  );

export function cronWords(cron: string, t: Say<keyof typeof texts.en>, language: string): string | null {
  const fields = cron.trim().split(/\s+/);
  if (fields.length !== 5) return null;
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = fields;
  const choice = choiceOf(cron);
  const time = clock(choice.hour, choice.minute);
  switch (choice.kind) {
    case "hour":
      return t("words_hour", { minute: choice.minute });
    case "day":
      return t("words_day", { time });
    case "workday":
      return t("words_workday", { time });
    case "week": {
      const names = choice.weekdays.map((each) => weekdayName(each, language));
      return t("words_week", { time, days: new Intl.ListFormat(language).format(names) });
    }
    case "month":
      return t("words_month", { time, days: choice.day });
    case "own": {
      const every = EVERY_MINUTES.exec(minute);
      if (every?.[1] && [hour, day, month, weekday].every((field) => field === "*")) {
        return t("words_minutes", { count: every[1] });
      }
      const [m, h, d, mo, w] = fields.map((field) => (field === "*" ? t("any") : field));
      return t("words_own", { minute: m ?? "", hour: h ?? "", day: d ?? "", month: mo ?? "", weekday: w ?? "" });
    }
  }
}

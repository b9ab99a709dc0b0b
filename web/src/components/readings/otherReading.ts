/** The other reading that a note names, by the option that the terminal has for it. */
import type { ReadingChange } from "@/api/readings";

const OPTION = /the source's option --(dates|decimals|encoding) ([\w-]+)\)/;

export interface OtherReading {
  field: keyof ReadingChange & ("dates" | "decimals" | "encoding");
  value: string;
  change: ReadingChange;
}

export function otherReading(note: string): OtherReading | null {
  const [, field, value] = OPTION.exec(note) ?? [];
  if (field === undefined || value === undefined) return null;
  return { field: field as OtherReading["field"], value, change: { [field]: value } };
}

/** Whether a query was only held back because it looks expensive. Pure. */
import { ApiError } from "@/api/errors";

export interface Costly {
  /** How many rows the source expects to read, where it says so. */
  rows: number | null;
}

export function costlyOf(error: unknown): Costly | null {
  if (!(error instanceof ApiError) || typeof error.details["expensive"] !== "string") return null;
  const rows = error.details["est_rows"];
  return { rows: typeof rows === "number" ? rows : null };
}

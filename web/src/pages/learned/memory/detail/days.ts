/** A day as a date field has it, `2026-11-20`, and the moment it begins here, as the API takes it. Pure. */
export function dayOf(moment: string | number | Date): string {
  const at = new Date(moment);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${String(at.getFullYear()).padStart(4, "0")}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** Null where no day is chosen. */
export function momentOf(day: string | undefined): string | null {
  if (!day) return null;
  const at = new Date(`${day}T00:00:00`);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

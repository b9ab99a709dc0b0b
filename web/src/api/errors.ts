/** An error response of the server: S4's body, or none if there was no response. */
import type { Schemas } from "@/api/client";
import { codeTexts, errorTexts } from "@/api/errors.texts";
import { currentLanguage, say } from "@/i18n";
import { dataText } from "@/i18n/dataTexts";

export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  readonly details: Record<string, unknown>;
  readonly requestId: string | null;

  constructor(
    code: string,
    message: string,
    status = 0,
    details: Record<string, unknown> = {},
    requestId: string | null = null,
  ) {
    super(message);
    this.name = "ApiError";
    this.code = code;
    this.status = status;
    this.details = details;
    this.requestId = requestId;
  }
}

type ErrorKey = keyof typeof errorTexts.en;
type Code = keyof typeof codeTexts.en;

/** Says what a person can do about it; null where the message itself says it all. */
export function nextStep(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null;
  if (error.status === 0) return say(errorTexts, "unreachable_next");
  const key = `${error.code}_next`;
  if (!(key in errorTexts.en)) return null;
  return say(errorTexts, key as ErrorKey);
}

interface ErrorText {
  title: string;
  /** The server's own words, which are English, where the title is not those. */
  detail: string | null;
}

/** Says what happened: in the server's words, in another language where those are known, else by its code. */
export function errorTextOf(error: unknown): ErrorText {
  if (!(error instanceof ApiError)) {
    return { title: error instanceof Error ? error.message : String(error), detail: null };
  }
  if (error.status === 0) return { title: say(errorTexts, "unreachable"), detail: null };
  const problems = skillProblems(error.details.problems);
  if (problems) return { title: say(errorTexts, "skill_unusable", { problems }), detail: null };
  const told = dataText(error.message);
  if (told !== error.message) return { title: told, detail: null };
  const meant = error.code in codeTexts.en ? say(codeTexts, error.code as Code) : null;
  if (meant === null || (currentLanguage() === "en" && error.message)) {
    return { title: error.message || error.code, detail: null };
  }
  return { title: meant, detail: error.message || null };
}

/** What keeps a skill from being stored, each with its place; null where nothing of the kind is told. */
function skillProblems(problems: unknown): string | null {
  if (!Array.isArray(problems) || problems.length === 0) return null;
  const told = (problems as Schemas["SkillProblemInfo"][]).map(({ message, line, column }) => {
    const text = dataText(message);
    return line === null ? text : say(errorTexts, "skill_problem", { line, column: column ?? 1, text });
  });
  return told.join("; ");
}

/** The same in one line. */
export function messageOf(error: unknown): string {
  const { title, detail } = errorTextOf(error);
  return detail ? `${title} ${detail}` : title;
}

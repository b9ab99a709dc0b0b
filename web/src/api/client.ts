/** The one way to the REST API: typed by the server's own document, errors as `ApiError`. */
import createClient, { type Middleware } from "openapi-fetch";
import type { components, paths } from "@/api/schema";
import { ApiError } from "@/api/errors";

export type Schemas = components["schemas"];

/** Where the console is served, without a slash at the end: it may live below a path. */
export const BASE_PATH: string = new URL(document.baseURI).pathname.replace(/\/$/, "");

let csrfToken: string | null = null;
const signedOut = new Set<() => void>();

export function rememberCsrfToken(token: string | null): void {
  csrfToken = token;
}

/** What a request that changes something carries, for those this file does not send. */
export const writingHeaders = (): Record<string, string> =>
  csrfToken ? { "X-CSRF-Token": csrfToken } : {};

/** Calls back when the server says that the sign-in has ended. */
export function onSignedOut(listener: () => void): () => void {
  signedOut.add(listener);
  return () => signedOut.delete(listener);
}

const guard: Middleware = {
  onRequest({ request }) {
    if (csrfToken && !["GET", "HEAD"].includes(request.method)) {
      request.headers.set("X-CSRF-Token", csrfToken);
    }
    return request;
  },
  async onResponse({ response }) {
    if (!response.ok) throw await errorOf(response);
    return undefined;
  },
  onError({ error }) {
    return error instanceof ApiError ? error : new ApiError("UNREACHABLE", String(error));
  },
};

export const api = createClient<paths>({ baseUrl: BASE_PATH, credentials: "same-origin" });
api.use(guard);

/** Takes the data out of an answer; the guard has thrown where there is none. */
export async function dataOf<T>(answer: Promise<{ data?: T }>): Promise<T> {
  return (await answer).data as T;
}

/** What the typed client cannot do: bodies that are streams, forms and files. */
export async function rawFetch(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  if (csrfToken && init.method && init.method !== "GET") headers.set("X-CSRF-Token", csrfToken);
  let response: Response;
  try {
    response = await fetch(BASE_PATH + path, { ...init, headers, credentials: "same-origin" });
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError("UNREACHABLE", String(error));
  }
  if (!response.ok) throw await errorOf(response);
  return response;
}

export async function errorOf(response: Response): Promise<ApiError> {
  let body: Partial<Schemas["ErrorResponse"]> = {};
  try {
    body = (await response.json()) as Schemas["ErrorResponse"];
  } catch {
    // A proxy answered, not our server: the status is all there is.
  }
  if (response.status === 401) for (const listener of signedOut) listener();
  return new ApiError(
    body.error_code ?? "INTERNAL",
    body.message ?? `${response.status} ${response.statusText}`,
    response.status,
    (body.details ?? {}) as Record<string, unknown>,
    body.request_id ?? response.headers.get("x-request-id"),
  );
}

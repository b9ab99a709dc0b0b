// @vitest-environment happy-dom
import { afterAll, expect, test, vi } from "vitest";
import { rememberCsrfToken } from "@/api/client";
import { ApiError } from "@/api/errors";
import { sendFile } from "@/api/files/upload";

let answer = { status: 0, responseText: "" };
const told: string[] = [];

class Request {
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  onloadend = () => undefined as void;
  status = 0;
  statusText = "";
  responseText = "";
  open = (...said: string[]) => void told.push(said.join(" "));
  setRequestHeader = (name: string, value: string) => void told.push(`${name}: ${value}`);
  abort = () => this.onloadend();
  send = () => {
    this.upload.onprogress?.({ loaded: 1, total: 4 });
    queueMicrotask(() => (Object.assign(this, answer), this.onloadend()));
  };
}
vi.stubGlobal("XMLHttpRequest", Request);
afterAll(() => void vi.unstubAllGlobals());
const file = new File(["a"], "a.csv");

test("a file goes where it is said, as whoever is signed in, and tells how far it is", async () => {
  rememberCsrfToken("token");
  answer = { status: 201, responseText: '{"path": "/uploads/a.csv"}' };
  const shares: number[] = [];
  const { stored } = sendFile("w", "/uploads/a.csv", file, (share) => shares.push(share));
  expect((await stored).path).toBe("/uploads/a.csv");
  expect(shares).toEqual([0.25]);
  expect(told[0]).toContain("/api/v1/workspaces/w/files/content?path=/uploads/a.csv");
  expect(told).toContain("X-CSRF-Token: token");
});

test("what the server refuses is its error; what reached nobody says so", async () => {
  answer = { status: 413, responseText: '{"error_code": "QUOTA_EXCEEDED", "message": "full"}' };
  const full = await sendFile("w", "/a", file).stored.catch((error: unknown) => error);
  expect(full).toBeInstanceOf(ApiError);
  expect((full as ApiError).code).toBe("QUOTA_EXCEEDED");
  answer = { status: 502, responseText: "<html>" };
  await expect(sendFile("w", "/a", file).stored).rejects.toMatchObject({ status: 502 });
  answer = { status: 0, responseText: "" };
  await expect(sendFile("w", "/a", file).stored).rejects.toMatchObject({ code: "UNREACHABLE" });
});

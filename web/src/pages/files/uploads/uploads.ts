/** Uploads of this page, one after the other, with their progress. */
import { create } from "zustand";
import type { ApiError } from "@/api/errors";
import { sendFile, type Sending } from "@/api/files/upload";
import { encodePath } from "@/pages/files/naming";

export interface Upload {
  id: number;
  name: string;
  share: number;
  state: "waiting" | "sending" | "done" | "failed" | "cancelled";
  error: ApiError | null;
}

export interface Wanted {
  workspaceId: string;
  path: string;
  file: File;
}

interface Uploads {
  items: readonly Upload[];
  clear: () => void;
}

const sent = new Map<number, Sending>();
let lastId = 0;
let queue: Promise<void> = Promise.resolve();

export const useUploads = create<Uploads>()((set) => ({
  items: [],
  clear: () =>
    set(({ items }) => ({ items: items.filter((each) => ["waiting", "sending"].includes(each.state)) })),
}));

export function upload(wanted: Wanted, done: () => void): void {
  const id = (lastId += 1);
  const name = wanted.path.slice(wanted.path.lastIndexOf("/") + 1);
  useUploads.setState(({ items }) => ({
    items: [...items, { id, name, share: 0, state: "waiting", error: null }],
  }));
  queue = queue.then(() => send(id, wanted)).then(done);
}

export function cancelUpload(id: number): void {
  change(id, { state: "cancelled" });
  sent.get(id)?.cancel();
}

async function send(id: number, { workspaceId, path, file }: Wanted): Promise<void> {
  if (stateOf(id) === "cancelled") return;
  change(id, { state: "sending" });
  const sending = sendFile(workspaceId, encodePath(path), file, (share) => change(id, { share }));
  sent.set(id, sending);
  try {
    await sending.stored;
    change(id, { state: "done", share: 1 });
  } catch (error) {
    if (stateOf(id) !== "cancelled") change(id, { state: "failed", error: error as ApiError });
  } finally {
    sent.delete(id);
  }
}

const stateOf = (id: number) => useUploads.getState().items.find((each) => each.id === id)?.state;

function change(id: number, part: Partial<Upload>): void {
  useUploads.setState(({ items }) => ({
    items: items.map((each) => (each.id === id ? { ...each, ...part } : each)),
  }));
}

/** Files on their way into the person's workspace, to be named in the next message. */
import { useState } from "react";
import { api, dataOf, rawFetch, type Schemas } from "@/api/client";
import { messageOf } from "@/api/errors";

export interface Upload {
  id: number;
  file: File;
  state: { kind: "uploading" } | { kind: "there"; path: string } | { kind: "failed"; reason: string };
}

let counted = 0;

export function useUploads() {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const change = (id: number, state: Upload["state"]) =>
    setUploads((all) => all.map((each) => (each.id === id ? { ...each, state } : each)));
  const begin = async (id: number, file: File) => {
    change(id, { kind: "uploading" });
    try {
      change(id, { kind: "there", path: await upload(file) });
    } catch (error) {
      change(id, { kind: "failed", reason: messageOf(error) });
    }
  };
  return {
    uploads,
    add: (files: Iterable<File>) => {
      const added = [...files].map((file): Upload => {
        counted += 1;
        return { id: counted, file, state: { kind: "uploading" } };
      });
      setUploads((all) => [...all, ...added]);
      for (const { id, file } of added) void begin(id, file);
    },
    again: ({ id, file }: Upload) => void begin(id, file),
    remove: (id: number) => setUploads((all) => all.filter((each) => each.id !== id)),
    clear: () => setUploads([]),
  };
}

async function upload(file: File): Promise<string> {
  const workspace = await dataOf(api.GET("/api/v1/workspaces/default"));
  const form = new FormData();
  form.append("file", file, file.name);
  const url = `/api/v1/workspaces/${encodeURIComponent(workspace.workspace_id)}/files`;
  const answer = await rawFetch(url, { method: "POST", body: form });
  const stored = (await answer.json()) as Schemas["StoredFile"][];
  return stored[0]?.path ?? file.name;
}

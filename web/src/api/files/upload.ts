/** Puts a file into a workspace. By XMLHttpRequest, because fetch does not tell how far it is. */
import { BASE_PATH, errorOf, writingHeaders, type Schemas } from "@/api/client";
import { ApiError } from "@/api/errors";

export interface Sending {
  stored: Promise<Schemas["StoredFile"]>;
  cancel: () => void;
}

/** The path is encoded, as the server encodes names. */
export function sendFile(
  workspaceId: string,
  encodedPath: string,
  file: File,
  progress: (share: number) => void = () => undefined,
): Sending {
  const request = new XMLHttpRequest();
  const url = `/api/v1/workspaces/${encodeURIComponent(workspaceId)}/files/content?path=${encodedPath}`;
  request.open("PUT", BASE_PATH + url);
  const headers = { "Content-Type": "application/octet-stream", ...writingHeaders() };
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.upload.onprogress = ({ loaded, total }) => progress(loaded / Math.max(1, total));
  const stored = new Promise<Schemas["StoredFile"]>((resolve, reject) => {
    request.onloadend = () => {
      const { status, statusText, responseText } = request;
      if (status === 0) return reject(new ApiError("UNREACHABLE", ""));
      const answer = new Response(responseText, { status, statusText });
      if (!answer.ok) return void errorOf(answer).then(reject);
      return resolve(JSON.parse(responseText) as Schemas["StoredFile"]);
    };
  });
  request.send(file);
  return { stored, cancel: () => request.abort() };
}

/** The files a session's tools made, for users who may read the session. */
import { useQuery } from "@tanstack/react-query";
import { BASE_PATH, rawFetch } from "@/api/client";

const pathOf = (sessionId: string, id: string): string =>
  `/api/v1/sessions/${encodeURIComponent(sessionId)}/artifacts/${encodeURIComponent(id)}`;

export const artifactUrl = (sessionId: string, id: string): string => BASE_PATH + pathOf(sessionId, id);

/** A page to be shown in a frame, where the server lets it do nothing. */
export const previewUrl = (sessionId: string, id: string): string => `${artifactUrl(sessionId, id)}?preview=true`;

/** Asked this way, a file that a rewind took back is an empty answer and no error. */
const ifThere = (path: string): string => `${path}?if_there=true`;

export const shownUrl = (sessionId: string, id: string): string => ifThere(artifactUrl(sessionId, id));

/** Its content; null where the file is gone. */
export const useArtifactJson = (sessionId: string, id: string) =>
  useQuery({
    queryKey: ["artifact", sessionId, id, "json"],
    queryFn: async () => {
      const answer = await rawFetch(ifThere(pathOf(sessionId, id)));
      return answer.status === 204 ? null : ((await answer.json()) as object);
    },
    staleTime: Infinity,
  });

/** Whether it can be had: a frame does not say why it stays empty. */
export const useArtifactThere = (sessionId: string, id: string, wanted: boolean) =>
  useQuery({
    queryKey: ["artifact", sessionId, id, "there"],
    queryFn: async () => {
      const range = { headers: { Range: "bytes=0-0" } };
      return (await rawFetch(ifThere(pathOf(sessionId, id)), range)).status !== 204;
    },
    enabled: wanted,
  });

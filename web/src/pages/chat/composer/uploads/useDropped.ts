/** Files may be dropped anywhere on the open chat; they go where the next message is written. */
import { useEffect, useRef, useState, type RefObject } from "react";
import { hasFiles } from "@/app/state/fileDrops";

/** Says whether files are held over the chat that has this composer. */
export function useDropped(
  composer: RefObject<HTMLElement | null>,
  take: (files: FileList) => void,
): boolean {
  const [over, setOver] = useState(false);
  const newest = useRef(take);
  newest.current = take;
  useEffect(() => {
    const chat = composer.current?.closest<HTMLElement>(".chat-main");
    if (!chat) return undefined;
    const until = new AbortController();
    const on = (name: "dragover" | "dragleave" | "drop", heard: (event: DragEvent) => void) =>
      chat.addEventListener(name, heard, { signal: until.signal });
    on("dragover", (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    });
    on("dragleave", (event) => {
      if (!chat.contains(event.relatedTarget as Node | null)) setOver(false);
    });
    on("drop", (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      if (event.dataTransfer) newest.current(event.dataTransfer.files);
    });
    return () => until.abort();
  }, [composer]);
  return over;
}

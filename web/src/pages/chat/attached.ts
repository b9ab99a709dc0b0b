/** The files a message names: written into its text when it is sent, shown apart from it afterwards. Pure. */
import { say } from "@/i18n";
import { composerTexts } from "@/pages/chat/composer/texts";

export function withFiles(text: string, paths: readonly string[]): string {
  const named = paths.length
    ? say(composerTexts, "files_named", { paths: paths.map((path) => `\`${path}\``).join(", ") })
    : "";
  return [text.trim(), named].filter(Boolean).join("\n\n");
}

/** Finds them again, in whichever language the message was sent. */
export function attachedIn(sent: string): { text: string; paths: string[] } {
  const at = sent.lastIndexOf("\n\n");
  const last = at < 0 ? sent : sent.slice(at + 2);
  for (const { files_named } of [composerTexts.en, composerTexts.zh]) {
    const [before = "", after = ""] = files_named.split("{paths}");
    if (!last.startsWith(before) || !last.endsWith(after)) continue;
    const list = last.slice(before.length, last.length - after.length);
    if (!/^`[^`\n]+`(, `[^`\n]+`)*$/.test(list)) continue;
    return { text: at < 0 ? "" : sent.slice(0, at), paths: list.slice(1, -1).split("`, `") };
  }
  return { text: sent, paths: [] };
}

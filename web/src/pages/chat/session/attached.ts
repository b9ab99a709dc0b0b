/** The files a message names: written into its text when it is sent, shown apart from it afterwards. Pure. */
import { say } from "@/i18n";
import { composerTexts } from "@/pages/chat/composer/texts";

/** What the model is given to look at with the message; of other files it hears the name. */
const LOOKED_AT = /\.(png|jpe?g|gif|webp|bmp|pdf)$/i;
const ONE = '(?:`[^`\\n]+`|@"[^"\\n]+")';
const LIST = new RegExp(`^ ?${ONE}(?:, ${ONE})*$`);

export function withFiles(text: string, paths: readonly string[]): string {
  const named = paths.length ? say(composerTexts, "files_named", { paths: list(paths) }) : "";
  return [text.trim(), named.replace(":  @", ": @")].filter(Boolean).join("\n\n");
}

/** Finds them again, in whichever language the message was sent. */
export function attachedIn(sent: string): { text: string; paths: string[] } {
  const at = sent.lastIndexOf("\n\n");
  const last = at < 0 ? sent : sent.slice(at + 2);
  for (const { files_named } of [composerTexts.en, composerTexts.zh]) {
    const [before = "", after = ""] = files_named.split("{paths}");
    if (!last.startsWith(before) || !last.endsWith(after)) continue;
    const found = last.slice(before.length, last.length - after.length);
    if (!LIST.test(found)) continue;
    const paths = Array.from(found.matchAll(new RegExp(ONE, "g")), ([one]) =>
      one.replace(/^(?:`|@")|[`"]$/g, ""),
    );
    return { text: at < 0 ? "" : sent.slice(0, at), paths };
  }
  return { text: sent, paths: [] };
}

function list(paths: readonly string[]): string {
  const named = paths.map((path) => (LOOKED_AT.test(path) && !path.includes('"') ? `@"${path}"` : `\`${path}\``));
  // An `@` is a name only behind a blank, which Chinese does not put after a colon.
  return (named[0]?.startsWith("@") ? " " : "") + named.join(", ");
}

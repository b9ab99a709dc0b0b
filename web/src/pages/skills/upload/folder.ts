/** A folder that a person picked, as one archive: what editors and systems leave in folders stays out. */
import { zipOf, type Entry } from "@/pages/skills/upload/zip";

const LEFT_OUT = /(^|\/)(\.[^/]+|__pycache__|node_modules|Thumbs\.db)(\/|$)/;

export const isWanted = (path: string): boolean => !LEFT_OUT.test(path);

/** A single SKILL.md or archive is sent as it is. */
export async function uploadOf(files: readonly File[]): Promise<File> {
  const [first] = files;
  if (first && files.length === 1 && !first.webkitRelativePath) return first;
  const wanted = files.filter((file) => isWanted(file.webkitRelativePath || file.name));
  const entries: Entry[] = await Promise.all(
    wanted.map(async (file) => ({
      path: file.webkitRelativePath || file.name,
      bytes: new Uint8Array(await file.arrayBuffer()),
    })),
  );
  return archiveOf(wanted[0]?.webkitRelativePath.split("/")[0] || "skill", entries);
}

export const archiveOf = (name: string, entries: readonly Entry[]): File =>
  new File([zipOf(entries)], `${name}.zip`, { type: "application/zip" });

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isWanted } from "@/pages/skills/upload/folder";
import { crc32, zipOf } from "@/pages/skills/upload/zip";

const READ = "import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\nfor n in z.namelist(): print(n, z.read(n).decode())";

test("another program reads what was written, names of other alphabets too", () => {
  const folder = mkdtempSync(join(tmpdir(), "zip-"));
  try {
    const file = join(folder, "skill.zip");
    const bytes = (text: string) => new TextEncoder().encode(text);
    writeFileSync(file, zipOf([
      { path: "notes/SKILL.md", bytes: bytes("# hello") },
      { path: "notes/references/说明.md", bytes: bytes("你好") },
    ]));
    const read = execFileSync("python3", ["-X", "utf8", "-c", READ, file], { encoding: "utf8" });
    expect(read).toBe("notes/SKILL.md # hello\nnotes/references/说明.md 你好\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const MODES = "import sys, zipfile\nfor i in zipfile.ZipFile(sys.argv[1]).infolist(): print(i.filename, oct(i.external_attr >> 16), i.create_system)";

test("whether a file is a program is kept, and left open where it is not known", () => {
  const folder = mkdtempSync(join(tmpdir(), "zip-"));
  try {
    const file = join(folder, "skill.zip");
    const bytes = new Uint8Array();
    writeFileSync(file, zipOf([
      { path: "run", bytes, executable: true },
      { path: "read", bytes, executable: false },
      { path: "picked", bytes },
    ]));
    const read = execFileSync("python3", ["-c", MODES, file], { encoding: "utf8" });
    expect(read).toBe("run 0o100755 3\nread 0o100644 3\npicked 0o0 3\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the check sum is the standard one", () => {
  expect(crc32(new TextEncoder().encode("123456789"))).toBe(0xcbf43926);
});

test("what systems leave in folders stays out", () => {
  const paths = ["s/SKILL.md", "s/.git/config", "s/.DS_Store", "s/scripts/__pycache__/a.pyc", "s/scripts/a.py"];
  expect(paths.filter(isWanted)).toEqual(["s/SKILL.md", "s/scripts/a.py"]);
});

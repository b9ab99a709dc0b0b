/**
 * Leaves a .br and a .gz beside every file of the build that gets smaller by it, so that the server
 * compresses nothing while it serves.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { STATIC } from "./static.mjs";

const TEXTS = /\.(css|js|json|svg|txt|wasm)$/;
const BYTES_MIN = 1024;

for (const entry of readdirSync(STATIC, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !TEXTS.test(entry.name)) continue;
  const path = join(entry.parentPath, entry.name);
  const bytes = readFileSync(path);
  if (bytes.length < BYTES_MIN) continue;
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }));
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
}

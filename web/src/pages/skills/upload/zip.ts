/** Writes a ZIP archive without compression: a skill is small, and the server unpacks it at once. Pure. */
export interface Entry {
  path: string;
  bytes: Uint8Array;
  /** Not known of a file that a browser picked: the server then looks for `#!`. */
  executable?: boolean;
}

/** Bit 11: names are UTF-8. */
const FLAGS = 0x0800;
const VERSION = 20;
/** Modes are those of Unix. */
const MADE_BY = (3 << 8) | VERSION;
/** 1 January 1980: the same files give the same archive. */
const DOS_DATE = 0x0021;

export function zipOf(entries: readonly Entry[]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { path, bytes, executable } of entries) {
    const name = new TextEncoder().encode(path);
    const about = [...u16(FLAGS), ...u16(0), ...u16(0), ...u16(DOS_DATE), ...u32(crc32(bytes)), ...u32(bytes.length), ...u32(bytes.length), ...u16(name.length), ...u16(0)]; // prettier-ignore
    const local = Uint8Array.from([...u32(0x04034b50), ...u16(VERSION), ...about]);
    parts.push(local, name, bytes);
    directory.push(
      Uint8Array.from([...u32(0x02014b50), ...u16(MADE_BY), ...u16(VERSION), ...about, ...u16(0), ...u16(0), ...u16(0), ...u16(0), ...u16(modeOf(executable)), ...u32(offset)]), // prettier-ignore
      name,
    );
    offset += local.length + name.length + bytes.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const count = u16(entries.length);
  const end = Uint8Array.from([...u32(0x06054b50), ...u16(0), ...u16(0), ...count, ...count, ...u32(size), ...u32(offset), ...u16(0)]); // prettier-ignore
  return joined([...parts, ...directory, end]);
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const modeOf = (executable: boolean | undefined): number =>
  executable === undefined ? 0 : executable ? 0o100755 : 0o100644;

const u16 = (value: number): number[] => [value & 0xff, (value >>> 8) & 0xff];
const u32 = (value: number): number[] => [...u16(value & 0xffff), ...u16(value >>> 16)];

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (crc >>> 8) ^ (TABLE[(crc ^ byte) & 0xff] ?? 0);
  return (crc ^ 0xffffffff) >>> 0;
}

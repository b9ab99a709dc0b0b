/**
 * Texts of the server's data tools in Chinese, found again by their English words.
 *
 * The same rules as `dataagent_core/language/chinese`, whose sentences come as `data.zh.json`.
 */
export interface Template {
  /** The English around the places: one more than there are places. */
  words: string[];
  places: string[];
  /** Places whose value stands in quotes. */
  quoted: string[];
  /** Places whose value may be a sentence or a phrase itself. */
  said: string[];
  chinese: (string | { place: string })[];
}

export interface Tables {
  sentences: Template[];
  phrases: Template[];
}

const CHARS_MAX = 4000;
const PARTS_MAX = 8;
const LOOKS_MAX = 300;
const SENTENCE_END = /(?<=[.?]) /g;

/** Says a text in Chinese as far as its sentences are known; the rest stays as it is. */
export const translationOf =
  (tables: Tables) =>
  (text: string): string =>
    text.length > CHARS_MAX ? text : (searchOf(tables)(text) ?? text);

/** The search through one text: each part is looked at once, and only so many parts are. */
function searchOf({ sentences, phrases }: Tables): (text: string) => string | null {
  const found = new Map<string, string | null>();
  const whole = (text: string): string | null => sentence(text) ?? behindName(text) ?? several(text);
  const phrase = (text: string) => filled(phrases, text) ?? text;

  function once(how: string, find: (text: string) => string | null): (text: string) => string | null {
    return (text) => {
      const key = `${how} ${text}`;
      if (!found.has(key)) {
        if (found.size >= LOOKS_MAX) return null;
        found.set(key, null);
        found.set(key, find(text));
      }
      return found.get(key) ?? null;
    };
  }

  const several = once("several", (text) => {
    for (const end of placesOf(SENTENCE_END, text).reverse()) {
      const known = sentence(text.slice(0, end)) ?? behindName(text.slice(0, end));
      if (known === null) continue;
      const rest = text.slice(end + 1);
      return known + (/[。;:?!]$/.test(known) ? "" : " ") + (whole(rest) ?? rest);
    }
    return null;
  });

  const behindName = once("name", (text) => {
    const end = placesOf(SENTENCE_END, text)[0];
    const colons = placesOf(/: /g, text.slice(0, end));
    for (const place of colons) {
      const rest = text.slice(place + 2);
      const known = sentence(rest) ?? several(rest);
      if (known !== null) return `${phrase(text.slice(0, place))}: ${known}`;
    }
    const name = text.slice(0, colons[0] ?? 0);
    return phrase(name) === name ? null : phrase(name) + text.slice(name.length);
  });

  const sentence = once("sentence", (text) => {
    const known = filled(sentences, text);
    if (known !== null || !text.endsWith(".")) return known;
    const open = filled(sentences, text.slice(0, -1));
    return open === null ? null : `${open}。`;
  });

  function said(text: string): string {
    const known = whole(text);
    if (known === null && text.includes("; ")) return text.split("; ").map(phrase).join("; ");
    return known ?? phrase(text);
  }

  function filled(templates: Template[], text: string): string | null {
    for (const template of templates) {
      const values = valuesOf(template, text);
      if (values === null) continue;
      return template.chinese
        .map((part) => {
          if (typeof part === "string") return part;
          const value = values[template.places.indexOf(part.place)] ?? "";
          return template.said.includes(part.place) ? said(value) : value;
        })
        .join("");
    }
    return null;
  }

  return whole;
}

const placesOf = (pattern: RegExp, text: string) =>
  [...text.matchAll(pattern)].map((found) => found.index).slice(0, PARTS_MAX);

/** The values between the words; null where they do not fit, or fit in two ways. */
function valuesOf(template: Template, text: string): string[] | null {
  const left = leftmost(template.words, text);
  if (left === null) return null;
  const right = rightmost(template.words, text) ?? left;
  const found = same(left, right) ? [left] : [left, right];
  const fitting = found.filter((values) => fits(template, values));
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

function fits({ words, places, quoted, said }: Template, values: string[]): boolean {
  if (places.length > 0 && words[0] === "" && values[0]?.includes(": ")) return false;
  return places.every((name, at) => {
    const value = values[at] ?? "";
    if (quoted.includes(name) && !/^(['"])[^]*\1$/.test(value)) return false;
    return said.includes(name) || !/[.?] /.test(value);
  });
}

function leftmost(words: string[], text: string): string[] | null {
  const [first = "", ...middle] = words;
  const last = middle.pop();
  if (last === undefined) return text === first ? [] : null;
  if (!text.startsWith(first)) return null;
  const values: string[] = [];
  let start = first.length;
  for (const word of middle) {
    const place = text.indexOf(word, start);
    if (place < 0) return null;
    values.push(text.slice(start, place));
    start = place + word.length;
  }
  const end = text.length - last.length;
  if (end < start || !text.endsWith(last)) return null;
  return [...values, text.slice(start, end)];
}

function rightmost(words: string[], text: string): string[] | null {
  const backwards = leftmost(words.map(reversed).reverse(), reversed(text));
  return backwards && backwards.map(reversed).reverse();
}

// By code units: what is turned twice is as it was.
const reversed = (text: string) => text.split("").reverse().join("");

const same = (one: string[], other: string[]) => one.every((value, at) => value === other[at]);

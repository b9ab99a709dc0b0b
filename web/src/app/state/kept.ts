/** What this browser keeps for one person: under their id, and gone when they sign out. */
import { createJSONStorage } from "zustand/middleware";

const PREFIX = "dataagent.of.";
let person = "";

export function rememberPerson(userId: string): void {
  person = userId;
}

const own = () => `${PREFIX}${person}.`;

/** For `persist`: a user does not see what another user stored in the same browser. */
export const keptFor = <T>(storage: () => Storage) =>
  createJSONStorage<T>(() => ({
    getItem: (name) => storage().getItem(own() + name),
    setItem: (name, value) => storage().setItem(own() + name, value),
    removeItem: (name) => storage().removeItem(own() + name),
  }));

/** The names a person's things are kept under that begin with a prefix, without it. */
export const keptNames = (storage: Storage, prefix: string): string[] =>
  Object.keys(storage).flatMap((each) => (each.startsWith(own() + prefix) ? [each.slice((own() + prefix).length)] : []));

export function forgetPerson(): void {
  for (const storage of [localStorage, sessionStorage]) {
    for (const name of Object.keys(storage)) {
      if (name.startsWith(own())) storage.removeItem(name);
    }
  }
}

/**
 * Every page describes itself in `pages/<name>/page.tsx`; menu, routes and palette are made from that.
 * A new page is a new folder: nothing here changes.
 */
import type { ComponentType, ReactNode } from "react";
import type { Me } from "@/api/me";
import type { Texts } from "@/i18n";

export type PageGroup = "chat" | "work" | "own" | "admin";

export interface PageEntry {
  /** A path of React Router below the console's base, `/files` or `/chat/:sessionId?`. */
  path: string;
  /** Where the menu leads; the path itself unless it has parameters. */
  to?: string;
  group: PageGroup;
  order: number;
  icon: ReactNode;
  /** `title` is the menu's and the browser's; `hint` the palette's second line. */
  texts: Texts<"title" | "hint">;
  /** What leads to it from anywhere, as commands name keys. */
  keys?: string;
  load: () => Promise<{ default: ComponentType }>;
  /** Who sees it; everybody by default. */
  allowed?: (me: Me) => boolean;
}

const modules = import.meta.glob<{ page: PageEntry }>(["/src/pages/*/page.tsx", "/src/pages/learned/*/page.tsx"], { eager: true });

export const PAGES: readonly PageEntry[] = Object.values(modules)
  .map((module) => module.page)
  .sort((a, b) => a.order - b.order);

export const pagesFor = (me: Me): PageEntry[] => PAGES.filter((page) => page.allowed?.(me) ?? true);

export const linkOf = (page: PageEntry): string => page.to ?? page.path;

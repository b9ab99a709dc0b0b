/** What the browser calls this tab: the thing that is open, else its page, with how much waits before it. */
import { useEffect } from "react";
import { create } from "zustand";

interface Titles {
  page: string;
  /** What is open in the page, a session for example. */
  thing: string | null;
}

const useTitles = create<Titles>()(() => ({ page: "", thing: null }));

export function usePageTitle(title: string): void {
  useEffect(() => useTitles.setState({ page: title }), [title]);
}

export function useThingTitle(title: string | null): void {
  useEffect(() => {
    useTitles.setState({ thing: title });
    return () => useTitles.setState({ thing: null });
  }, [title]);
}

export function useTabTitle(waiting: number): void {
  const title = useTitles(({ page, thing }) => thing || page);
  useEffect(() => {
    const count = waiting ? `(${waiting}) ` : "";
    document.title = count + (title ? `${title} · DataAgent` : "DataAgent");
  }, [title, waiting]);
}

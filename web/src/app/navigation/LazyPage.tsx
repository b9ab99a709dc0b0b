/** A page's code is loaded when it is first opened, and kept. */
import { lazy, Suspense, type ComponentType } from "react";
import type { PageEntry } from "@/app/navigation/pages";
import { Waiting } from "@/components/states/Waiting";

const loaded = new Map<string, ComponentType>();

export function LazyPage({ page }: { page: PageEntry }) {
  const View = viewOf(page);
  return (
    <Suspense fallback={<Waiting />}>
      <View />
    </Suspense>
  );
}

function viewOf(page: PageEntry): ComponentType {
  const known = loaded.get(page.path);
  if (known) return known;
  const view = lazy(() =>
    page.load().catch((error: unknown) => {
      // React keeps a failure for good; the next look at the page asks again.
      loaded.delete(page.path);
      throw error;
    }),
  );
  loaded.set(page.path, view);
  return view;
}

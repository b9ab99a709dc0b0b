/** Sets the title of the page. */
import type { ReactNode } from "react";
import { Catcher } from "@/app/errors/Catcher";
import type { PageEntry } from "@/app/navigation/pages";
import { usePageTitle } from "@/app/navigation/title";
import { useTexts } from "@/i18n";

interface Props {
  page: PageEntry;
  children: ReactNode;
}

export function PageBoundary({ page, children }: Props) {
  usePageTitle(useTexts(page.texts)("title"));
  return <Catcher>{children}</Catcher>;
}

/** What a viewer may not do is not offered to them; in its place stands who can. */
import { Typography } from "antd";
import type { ReactNode } from "react";
import { mayWrite, useMe } from "@/api/me";
import { componentTexts } from "@/components/texts";
import { useTexts } from "@/i18n";

export function ForMembers({ children }: { children: ReactNode }) {
  const t = useTexts(componentTexts);
  if (mayWrite(useMe())) return children;
  return <Typography.Text type="secondary">{t("viewer")}</Typography.Text>;
}

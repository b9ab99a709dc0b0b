import { AuditOutlined } from "@ant-design/icons";
import { isAdmin } from "@/api/me";
import type { PageEntry } from "@/app/navigation/pages";
import { pageTexts } from "@/pages/audit/page.texts";

export const page: PageEntry = {
  path: "/audit",
  group: "admin",
  order: 160,
  icon: <AuditOutlined />,
  texts: pageTexts,
  load: () => import("@/pages/audit/View"),
  allowed: isAdmin,
};

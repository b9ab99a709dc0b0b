import { ProjectOutlined } from "@ant-design/icons";
import type { PageEntry } from "@/app/navigation/pages";
import { pageTexts } from "@/pages/projects/page.texts";

export const page: PageEntry = {
  path: "/projects",
  group: "own",
  order: 110,
  icon: <ProjectOutlined />,
  texts: pageTexts,
  load: () => import("@/pages/projects/View"),
};

import { ProjectOutlined } from "@ant-design/icons";
import type { PageEntry } from "@/app/pages";
import { pageTexts } from "./page.texts";

export const page: PageEntry = {
  path: "/projects",
  group: "own",
  order: 110,
  icon: <ProjectOutlined />,
  texts: pageTexts,
  load: () => import("./View"),
};

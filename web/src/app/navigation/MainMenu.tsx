import { Menu } from "antd";
import { Link, matchPath, useLocation } from "react-router";
import { useMe } from "@/api/me";
import { linkOf, pagesFor, type PageEntry, type PageGroup } from "@/app/navigation/pages";
import { appTexts } from "@/app/texts";
import { say, useTexts } from "@/i18n";

interface Props {
  collapsed: boolean;
  onGone?: () => void;
}

export function MainMenu({ collapsed, onGone }: Props) {
  const t = useTexts(appTexts);
  const me = useMe();
  const { pathname } = useLocation();
  const pages = pagesFor(me);
  const current = pages.find((page) => matchPath(page.path, pathname));
  const entry = (page: PageEntry) => ({
    key: page.path,
    icon: page.icon,
    title: say(page.texts, "title"),
    label: <Link to={linkOf(page)}>{say(page.texts, "title")}</Link>,
  });
  const inGroup = (group: PageGroup) => pages.filter((page) => page.group === group).map(entry);
  const group = (name: "work" | "own" | "admin") => {
    const children = inGroup(name);
    const label = collapsed ? "" : t(name);
    return children.length ? [{ type: "group" as const, label, children }] : [];
  };
  return (
    <nav aria-label={t("menu")} style={{ height: "100%", overflowY: "auto" }}>
      <Menu
        mode="inline"
        // Its links are the tab stops.
        tabIndex={-1}
        inlineCollapsed={collapsed}
        selectedKeys={current ? [current.path] : []}
        onClick={onGone}
        style={{ borderInlineEnd: 0 }}
        items={[
          ...inGroup("chat"),
          ...group("work"),
          ...group("own"),
          ...group("admin"),
        ]}
      />
    </nav>
  );
}

/** The frame around every page: menu, header, routes, palette. */
import { MenuFoldOutlined, MenuOutlined, SearchOutlined } from "@ant-design/icons";
import { Button, Drawer, Flex, Grid, Layout, Tooltip } from "antd";
import { lazy, Suspense, useState } from "react";
import { Route, Routes } from "react-router";
import { useMe } from "@/api/me";
import { Account } from "@/app/account/Account";
import { Attention } from "@/app/navigation/Attention";
import { useCommandRegistry } from "@/app/palette/commands";
import { useKeepThePage } from "@/app/state/fileDrops";
import { GlobalKeys } from "@/app/palette/GlobalKeys";
import { Home } from "@/app/navigation/Home";
import { LazyPage } from "@/app/navigation/LazyPage";
import { MainMenu } from "@/app/navigation/MainMenu";
import { NotFound } from "@/app/errors/NotFound";
import { PageBoundary } from "@/app/errors/PageBoundary";
import { pagesFor } from "@/app/navigation/pages";
import { usePreferences } from "@/app/state/preferences";
import { appTexts } from "@/app/texts";
import { useTexts } from "@/i18n";

// What a first answer does not need comes after it.
const Palette = lazy(() => import("@/app/palette/Palette"));
const ProjectPicker = lazy(() => import("@/app/navigation/ProjectPicker"));

export function Shell() {
  const t = useTexts(appTexts);
  const me = useMe();
  useKeepThePage();
  const wide = Grid.useBreakpoint().md ?? window.innerWidth >= 768;
  const { sidebarOpen, set } = usePreferences();
  const [drawer, setDrawer] = useState(false);
  const show = useCommandRegistry((registry) => registry.show);
  const toggle = () => (wide ? set({ sidebarOpen: !sidebarOpen }) : setDrawer(true));
  return (
    <Layout style={{ height: "100dvh" }}>
      <a
        className="skip-link"
        href="#content"
        onClick={(event) => {
          // Followed, it would lead to <base href> and away from this page.
          event.preventDefault();
          document.getElementById("content")?.focus();
        }}
      >
        {t("skip")}
      </a>
      <GlobalKeys toggleSidebar={toggle} />
      <Attention />
      <Suspense>
        <Palette />
      </Suspense>
      <Layout.Header style={{ padding: "0 12px", height: 48, lineHeight: "48px" }}>
        <Flex align="center" gap={8} style={{ height: "100%" }}>
          <Tooltip title={t("sidebar")}>
            <Button
              type="text"
              aria-label={t("sidebar")}
              icon={wide && sidebarOpen ? <MenuFoldOutlined /> : <MenuOutlined />}
              onClick={toggle}
            />
          </Tooltip>
          {wide && <strong>{t("name")}</strong>}
          <Suspense>
            <ProjectPicker />
          </Suspense>
          <span style={{ flex: 1 }} />
          <Button
            icon={<SearchOutlined />}
            aria-label={t("palette")}
            onClick={() => show("palette")}
          >
            {wide ? t("search") : null}
          </Button>
          <Account />
        </Flex>
      </Layout.Header>
      <Layout hasSider>
        {wide && (
          <Layout.Sider width={216} collapsedWidth={56} collapsed={!sidebarOpen} theme="light">
            <MainMenu collapsed={!sidebarOpen} />
          </Layout.Sider>
        )}
        {!wide && (
          <Drawer
            open={drawer}
            onClose={() => setDrawer(false)}
            placement="left"
            size={264}
            title={t("name")}
          >
            <MainMenu collapsed={false} onGone={() => setDrawer(false)} />
          </Drawer>
        )}
        <Layout.Content
          id="content"
          role="main"
          tabIndex={-1}
          style={{ overflow: "auto", minWidth: 0 }}
        >
          <Routes>
            <Route index element={<Home />} />
            {pagesFor(me).map((page) => (
              <Route
                key={page.path}
                path={page.path}
                element={
                  <PageBoundary key={page.path} page={page}>
                    <LazyPage page={page} />
                  </PageBoundary>
                }
              />
            ))}
            <Route path="*" element={<NotFound />} />
          </Routes>
        </Layout.Content>
      </Layout>
    </Layout>
  );
}

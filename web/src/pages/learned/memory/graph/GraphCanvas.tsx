/** The picture of the graph: a canvas for eyes and pointers, and for arrow keys with what they are at said aloud. */
import { CompressOutlined, ZoomInOutlined, ZoomOutOutlined } from "@ant-design/icons";
import { Alert, Button, Flex } from "antd";
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { useDark } from "@/app/style/theme";
import { useTexts } from "@/i18n";
import type { Drawing } from "@/pages/learned/memory/graph/drawing";
import { paletteOf } from "@/pages/learned/memory/graph/palette";
import { boundsOf, neighbourOf, type Layout, type Scene } from "@/pages/learned/memory/graph/scene";
import { texts } from "@/pages/learned/memory/texts";
import "@/pages/learned/memory/graph/graph.css";

interface Props {
  layout: Layout;
  scene: Scene;
  /** The node that is looked at, and what it is, in words. */
  chosen: string | null;
  said: string;
  /** Grows with every wish to see the chosen one. */
  looks: number;
  choose: (id: string) => void;
  /** Unfolds a community, or opens an entity. */
  open: (id: string) => void;
}

const DIRECTIONS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" } as const;
const ZOOMS = { "+": "in", "=": "in", "-": "out", "0": "all" } as const;
const stillness = matchMedia("(prefers-reduced-motion: reduce)");

export function GraphCanvas({ layout, scene, chosen, said, looks, choose, open }: Props) {
  const t = useTexts(texts);
  const dark = useDark();
  const place = useRef<HTMLDivElement>(null);
  const clicked = useRef(open);
  clicked.current = open;
  const [drawing, setDrawing] = useState<Drawing | null>(null);
  const [why, setWhy] = useState<string | null>(null);
  const bounds = useMemo(() => boundsOf(layout), [layout]);
  useEffect(() => {
    let drawn: Drawing | null = null;
    let gone = false;
    const begin = async () => {
      const { draw } = await import("@/pages/learned/memory/graph/drawing");
      if (gone || !place.current) return;
      drawn = draw(place.current, {
        bounds,
        colours: paletteOf(dark),
        isStill: stillness.matches,
        choose: (id) => clicked.current(id),
      });
      setDrawing(drawn);
    };
    // A browser without WebGL has the table.
    begin().catch((error: unknown) => setWhy(error instanceof Error ? error.message : String(error)));
    return () => {
      gone = true;
      setDrawing(null);
      drawn?.end();
    };
  }, [bounds, dark]);
  useEffect(() => drawing?.show(scene, chosen), [drawing, scene, chosen]);
  const looked = useRef(0);
  useEffect(() => {
    // Its community may still be on its way. What is chosen with the pointer is in view.
    const node = chosen ? scene.nodes.get(chosen) : undefined;
    if (!drawing || !node || looks === looked.current) return;
    looked.current = looks;
    drawing.lookAt(node);
  }, [drawing, looks, chosen, scene]);
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { key } = event;
    if (key in DIRECTIONS) {
      const next = neighbourOf(scene, chosen ?? "", DIRECTIONS[key as keyof typeof DIRECTIONS]);
      if (next) choose(next);
    } else if (key in ZOOMS) drawing?.zoom(ZOOMS[key as keyof typeof ZOOMS]);
    else if (key === "Enter" && chosen) open(chosen);
    else return;
    event.preventDefault();
  };
  if (why !== null) return <Alert type="warning" showIcon title={t("graph_not_drawn")} description={why} />;
  return (
    <div className="graph-canvas">
      <div
        ref={place}
        className="graph-place"
        role="application"
        aria-label={t("graph")}
        aria-description={t("graph_keys")}
        data-drawn={drawing ? `${scene.nodes.size} ${scene.edges.size}` : undefined}
        tabIndex={0}
        onKeyDown={press}
      />
      <span role="status" className="visually-hidden">
        {said}
      </span>
      <Flex gap={4} className="graph-zoom">
        <Button size="small" icon={<ZoomInOutlined />} aria-label={t("zoom_in")} title={t("zoom_in")} onClick={() => drawing?.zoom("in")} />
        <Button size="small" icon={<ZoomOutOutlined />} aria-label={t("zoom_out")} title={t("zoom_out")} onClick={() => drawing?.zoom("out")} />
        <Button size="small" icon={<CompressOutlined />} aria-label={t("zoom_all")} title={t("zoom_all")} onClick={() => drawing?.zoom("all")} />
      </Flex>
    </div>
  );
}

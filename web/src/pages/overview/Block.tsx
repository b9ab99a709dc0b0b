/** One thing of the overview: a title, what there is, where there is more of it, what to do next. */
import { Card, Flex, Typography } from "antd";
import type { ReactNode } from "react";
import { LinkButton } from "@/components/links/LinkButton";

export interface Next {
  to: string;
  label: string;
}

interface Props {
  title: string;
  more?: ReactNode;
  /** The one step that is obvious now; null where each row has its own. */
  next: Next | null;
  children: ReactNode;
}

export function Block({ title, more, next, children }: Props) {
  return (
    <Card
      size="small"
      style={{ height: "100%" }}
      styles={{ body: { height: "100%", display: "flex", flexDirection: "column" } }}
    >
      <Flex justify="space-between" align="center" gap={8}>
        <Typography.Title level={2} style={{ fontSize: 16, margin: 0 }}>
          {title}
        </Typography.Title>
        {more}
      </Flex>
      <div style={{ margin: "8px 0", flexGrow: 1 }}>{children}</div>
      {next && (
        <LinkButton to={next.to} style={{ alignSelf: "start" }}>{next.label}</LinkButton>
      )}
    </Card>
  );
}

/** A block without anything: small, because it is one of many. */
export function Nothing({ title, hint }: { title: string; hint?: string }) {
  return (
    <div>
      {title}
      {hint && (
        <>
          <br />
          <Typography.Text type="secondary">{hint}</Typography.Text>
        </>
      )}
    </div>
  );
}

export function Rows({ children }: { children: ReactNode }) {
  return <ul style={{ listStyle: "none", margin: 0, padding: 0 }}>{children}</ul>;
}

export function OneRow({ start, end }: { start: ReactNode; end?: ReactNode }) {
  return (
    <Flex component="li" justify="space-between" align="center" gap="0 8px" wrap style={{ padding: "4px 0" }}>
      {/* The end goes below rather than that a word is broken; only one longer than the line is. */}
      <div style={{ flex: "1 1 0", maxWidth: "100%", overflowWrap: "break-word" }}>{start}</div>
      <span style={{ flexShrink: 0 }}>{end}</span>
    </Flex>
  );
}

/** A list of things with a title, a line about each and what can be done with it. */
import { Flex, Typography } from "antd";
import type { ReactNode } from "react";
import "@/components/tables/entries.css";

export const Entries = ({ children }: { children: ReactNode }) => <ul className="entries">{children}</ul>;

interface Props {
  title: ReactNode;
  line?: ReactNode;
  actions?: ReactNode;
  children?: ReactNode;
}

export function Entry({ title, line, actions, children }: Props) {
  return (
    <li>
      <Flex justify="space-between" align="center" gap={12} wrap>
        <div style={{ minWidth: 0, flex: "1 1 260px", overflowWrap: "break-word" }}>
          <strong>{title}</strong>
          {line && (
            <div>
              <Typography.Text type="secondary">{line}</Typography.Text>
            </div>
          )}
        </div>
        {actions && (
          <Flex gap={8} wrap align="center">
            {actions}
          </Flex>
        )}
      </Flex>
      {children}
    </li>
  );
}

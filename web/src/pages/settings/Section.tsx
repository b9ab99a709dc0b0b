import { Card } from "antd";
import type { ReactNode } from "react";

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card style={{ marginBottom: 16 }}>
      <h2 style={{ fontSize: 18, margin: "0 0 16px" }}>{title}</h2>
      {children}
    </Card>
  );
}

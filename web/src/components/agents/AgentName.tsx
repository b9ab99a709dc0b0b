/** A sub-agent's name behind its colour. */
import { cssColour } from "@/components/agents/colours";
import "@/components/agents/agents.css";

interface Props {
  name: string;
  colour: string | null | undefined;
}

export const AgentName = ({ name, colour }: Props) => (
  <span className="agent-name">
    <span className="agent-dot" aria-hidden style={{ background: cssColour(colour) }} />
    <span>{name}</span>
  </span>
);

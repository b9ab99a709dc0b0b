/** What the parts of the dock are given. */
import type { Decision, HumanRequest } from "@/pages/chat/requests/answer/answers";

export interface KindProps {
  request: HumanRequest;
  /** An answer is on its way: nothing can be pressed. */
  sending: boolean;
  /** It is the person's own run: their sign-in. */
  mine: boolean;
  /** May also decide for later calls. */
  forGood: boolean;
  onAnswer: (decision: Decision) => void;
}

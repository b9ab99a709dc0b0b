/**
 * Gathers events and hands them on at most once a frame; a hidden page, which has no frames, by the
 * clock. A replay comes in thousands and is handed on when it pauses: drawing every stage of what
 * happened long ago would take longer than the replay itself.
 */
import type { Numbered } from "@/stream/events";

const WITHOUT_FRAMES_MS = 100;
/** More events than this in one frame are a replay: a model does not speak as fast. */
const REPLAY_EVENTS = 50;
const REPLAY_PAUSE_MS = 100;
const REPLAY_MS_MAX = 1_000;

export class Flushing {
  readonly #take: (events: Numbered[]) => void;
  #queue: Numbered[] = [];
  #firstAt = 0;
  #lastAt = 0;
  #frame = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(take: (events: Numbered[]) => void) {
    this.#take = take;
  }

  add(event: Numbered): void {
    this.#queue.push(event);
    this.#lastAt = performance.now();
    if (this.#queue.length > 1) return;
    this.#firstAt = this.#lastAt;
    this.#wait();
  }

  /** Forgets what waits. */
  stop(): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
    this.#queue = [];
  }

  #wait(): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
    this.#frame = requestAnimationFrame(this.#flush);
    // A page that is hidden before the frame would wait until it is visible again.
    this.#timer = setTimeout(this.#flush, WITHOUT_FRAMES_MS);
  }

  #flush = (): void => {
    if (this.#replays()) {
      this.#wait();
      return;
    }
    const events = this.#queue;
    this.stop();
    this.#take(events);
  };

  #replays(): boolean {
    const now = performance.now();
    return (
      this.#queue.length > REPLAY_EVENTS &&
      now - this.#lastAt < REPLAY_PAUSE_MS &&
      now - this.#firstAt < REPLAY_MS_MAX
    );
  }
}

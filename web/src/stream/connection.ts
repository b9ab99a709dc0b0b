/**
 * One WebSocket to one session that never gives up: it goes on from the last number after a reload,
 * sleep, a lost network or a restarted server. Knows nothing of React; what it reads goes to its owner.
 */
import { isNotice, readFrame, type Notice, type Numbered } from "@/stream/events";

export type Ended = {
  kind: "ended";
  code: "UNAUTHENTICATED" | "NOT_FOUND" | "PERMISSION_DENIED";
};

export type ConnectionState =
  | { kind: "connecting" }
  | { kind: "live" }
  /** The line is down since a moment; work on the server goes on. */
  | { kind: "waiting"; since: number; retryAt: number; attempt: number }
  /** Nothing to wait for: signed out, deleted, or not ours. */
  | Ended;

export interface Outlook {
  url: (after: number) => string;
  /** Asks the API why a socket was refused; null if unknown, or if a retry makes sense. */
  refusal: () => Promise<Ended | null>;
  lastSeq: () => number;
  onEvent: (event: Numbered) => void;
  onNotice: (notice: Notice) => void;
  onState: (state: ConnectionState) => void;
}

const FIRST_DELAY_MS = 250;
const DELAY_MAX_MS = 10_000;
/** A try that gets no answer is given up; the browser itself would wait for minutes. */
const CONNECT_MS = 10_000;
/** A line counts as good once it has lasted: one that breaks at once is not tried ever faster. */
const STEADY_MS = 5_000;
/** A quiet line is asked whether it is there; one that does not answer is dead. */
const PING_MS = 20_000;
const PONG_MS = 8_000;

export class Connection {
  readonly #outlook: Outlook;
  #socket: WebSocket | null = null;
  #attempt = 0;
  #downSince: number | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #quiet: ReturnType<typeof setTimeout> | undefined;
  #steady: ReturnType<typeof setTimeout> | undefined;
  #ended = false;
  #closed = false;

  constructor(outlook: Outlook) {
    this.#outlook = outlook;
  }

  open(): void {
    window.addEventListener("online", this.#now);
    window.addEventListener("offline", this.#cut);
    window.addEventListener("pageshow", this.#now);
    document.addEventListener("visibilitychange", this.#seen);
    this.#outlook.onState({ kind: "connecting" });
    this.#connect();
  }

  close(): void {
    this.#closed = true;
    window.removeEventListener("online", this.#now);
    window.removeEventListener("offline", this.#cut);
    window.removeEventListener("pageshow", this.#now);
    document.removeEventListener("visibilitychange", this.#seen);
    this.#drop();
  }

  /** Says something to the server; false when the line is down. */
  send(type: "chat" | "hitl_decision" | "cancel", payload: object): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify({ type, payload }));
    return true;
  }

  /** Tries again at once, from the last number that was understood. */
  restart(): void {
    if (!this.#closed) this.#connect();
  }

  /**
   * What came cannot be used: hangs up and reads again from the last number that was understood,
   * after a delay that grows, for the same may come again.
   */
  refuse(): void {
    if (!this.#closed) this.#lost();
  }

  #connect(): void {
    this.#drop();
    const socket = new WebSocket(this.#outlook.url(this.#outlook.lastSeq()));
    this.#socket = socket;
    this.#quiet = setTimeout(() => this.#lost(), CONNECT_MS);
    socket.onopen = () => {
      this.#downSince = null;
      this.#ended = false;
      this.#steady = setTimeout(() => (this.#attempt = 0), STEADY_MS);
      this.#outlook.onState({ kind: "live" });
      this.#listen();
    };
    socket.onmessage = (message) => this.#read(message.data);
    socket.onclose = () => this.#lost();
  }

  #read(data: unknown): void {
    this.#listen();
    const frame = readFrame(data);
    if (frame === null) this.refuse();
    else if (!isNotice(frame)) this.#outlook.onEvent(frame);
    else if (frame.kind === "error") this.#outlook.onNotice(frame);
  }

  #lost(): void {
    this.#drop();
    const since = (this.#downSince ??= Date.now());
    const attempt = (this.#attempt += 1);
    if (!this.#ended) {
      const delay = Math.min(DELAY_MAX_MS, FIRST_DELAY_MS * 2 ** (attempt - 1));
      const jittered = delay * (0.5 + Math.random() / 2);
      this.#outlook.onState({ kind: "waiting", since, retryAt: Date.now() + jittered, attempt });
      this.#retry = setTimeout(() => this.#connect(), jittered);
    }
    // A browser never says why a socket was refused. The answer may take longer than the next try.
    void this.#outlook.refusal().then((refusal) => {
      if (this.#closed || this.#socket?.readyState === WebSocket.OPEN) return;
      if (refusal) this.#end(refusal);
      else if (this.#ended) this.#goOn();
    });
  }

  #end(refusal: Ended): void {
    this.#drop();
    this.#ended = true;
    this.#outlook.onState(refusal);
  }

  #goOn(): void {
    this.#ended = false;
    this.#connect();
  }

  /** The network or the page is back: no need to wait out the delay. */
  #now = (): void => {
    if (this.#downSince !== null) this.restart();
  };

  /** Without a network an open socket only looks alive; to find that out by itself takes half a minute. */
  #cut = (): void => {
    if (!this.#closed && this.#socket) this.#lost();
  };

  #seen = (): void => {
    if (document.visibilityState !== "visible") return;
    this.#now();
    // After a sleep a socket may look open and be dead.
    this.#ping();
  };

  #listen(): void {
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#ping(), PING_MS);
  }

  #ping(): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    this.#socket.send(JSON.stringify({ type: "ping", payload: {} }));
    clearTimeout(this.#quiet);
    this.#quiet = setTimeout(() => this.#lost(), PONG_MS);
  }

  #drop(): void {
    clearTimeout(this.#retry);
    clearTimeout(this.#quiet);
    clearTimeout(this.#steady);
    const socket = this.#socket;
    this.#socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }
}

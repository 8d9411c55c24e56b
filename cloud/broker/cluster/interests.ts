import { RecentMap } from '#lib/recent-map.ts';

/** Messages in which a process lists the topics it wants. */
export type InterestMessage =
  /** all topics of the sender, who wants to know those of the receiver */
  | { kind: 'hello'; version: number; topics: string[] }
  | { kind: 'topics'; version: number; topics: string[] }
  | { kind: 'change'; version: number; add: string[]; remove: string[] }
  /** the sender applied this version of the receiver's topics */
  | { kind: 'seen'; version: number }
  | { kind: 'alive'; version: number }
  | { kind: 'bye' };

type Peer = { topics: Set<string>; version: number; seen: number; heardAt: number; askedAt: number };

type InterestDeps = {
  /** Sends a message to one process, or to all others. */
  send(message: InterestMessage, to?: string): void;
  /** in ms, monotonic */
  now(): number;
  /** Runs work after a few milliseconds, together with what arrives until then. */
  soon(work: () => void): void;
  /** Called when another process may have kept back what this one wants. */
  onMissed(): void;
};

export const aliveMs = 1000;
const silentMs = 6000;
const answerMs = 2000;
const unknown = -1;
const maxRemembered = 1000; // processes that are known by name

const newPeer = (): Peer => ({
  topics: new Set(),
  version: unknown,
  seen: unknown,
  heardAt: 0,
  askedAt: Number.NEGATIVE_INFINITY,
});

/**
 * Keeps the topics that each process of the platform wants. Changes are numbered: a process that missed one asks for the whole
 * list. A process that is silent for six seconds is gone, and nothing is sent to it.
 */
export class Interests {
  readonly #peers = new Map<string, Peer>();
  readonly #greeted = new RecentMap<true>(maxRemembered);
  readonly #own = new Set<string>();
  readonly #added = new Set<string>();
  readonly #removed = new Set<string>();
  readonly #send: InterestDeps['send'];
  readonly #now: InterestDeps['now'];
  readonly #soon: InterestDeps['soon'];
  readonly #onMissed: InterestDeps['onMissed'];
  #version = 0;
  #joinedAt = Number.NEGATIVE_INFINITY;
  #hasLeft = false;
  #waiting: { version: number; until: number; resolve: () => void }[] = [];

  constructor({ send, now, soon, onMissed }: InterestDeps) {
    this.#send = send;
    this.#now = now;
    this.#soon = soon;
    this.#onMissed = onMissed;
  }

  get peers(): number {
    return this.#peers.size;
  }

  /** Returns the processes that want a topic. */
  wanting(topic: string): string[] {
    const ids: string[] = [];
    for (const [id, { topics }] of this.#peers) if (topics.has(topic)) ids.push(id);
    return ids;
  }

  isWanted(topic: string): boolean {
    for (const { topics } of this.#peers.values()) if (topics.has(topic)) return true;
    return false;
  }

  /** Announces that this process wants a topic. Resolves when all others know, or did not answer in time. */
  add(topic: string): Promise<void> {
    this.#own.add(topic);
    if (!this.#removed.delete(topic)) this.#added.add(topic);
    this.#announceSoon();
    return new Promise((resolve) => {
      this.#waiting.push({ version: this.#version + 1, until: this.#now() + answerMs, resolve });
    });
  }

  remove(topic: string): void {
    if (!this.#own.delete(topic)) return;
    if (!this.#added.delete(topic)) this.#removed.add(topic);
    this.#announceSoon();
  }

  /** Greets all others on a new connection. */
  join(): void {
    this.#joinedAt = this.#now();
    this.#send(this.#all('hello'));
  }

  leave(): void {
    this.#send({ kind: 'bye' });
    this.#hasLeft = true;
    this.forget();
  }

  /** Forgets all others, when the connection to them is lost. */
  forget(): void {
    this.#peers.clear();
    this.#settle();
  }

  /** Call this every `aliveMs`. */
  tick(): void {
    const now = this.#now();
    this.#send({ kind: 'alive', version: this.#version });
    for (const [id, { heardAt }] of this.#peers) if (now - heardAt > silentMs) this.#peers.delete(id);
    this.#settle();
  }

  receive(from: string, message: InterestMessage): void {
    if (this.#hasLeft) return;
    if (message.kind === 'bye') {
      this.#peers.delete(from);
      this.#greeted.delete(from);
      this.#settle();
      return;
    }
    const peer = this.#peers.get(from) ?? newPeer();
    this.#peers.set(from, peer);
    peer.heardAt = this.#now();
    switch (message.kind) {
      case 'hello':
        // Greets again after it lost its connection, did not hear this process for a while, or missed a change.
        if (this.#greeted.get(from)) this.#onMissed();
        this.#greeted.set(from, true);
        this.#send(this.#all('topics'), from);
        this.#learn(peer, from, message);
        break;
      case 'topics':
        this.#learn(peer, from, message);
        break;
      case 'change':
        if (message.version === peer.version + 1) {
          for (const topic of message.add) peer.topics.add(topic);
          for (const topic of message.remove) peer.topics.delete(topic);
          this.#confirm(peer, from, message.version);
        } else this.#ask(peer, from);
        break;
      case 'seen':
        peer.seen = Math.max(peer.seen, message.version);
        this.#settle();
        break;
      case 'alive':
        if (message.version !== peer.version) this.#ask(peer, from);
    }
  }

  /** Asks for all topics of a process, at most once a second: lists are long. */
  #ask(peer: Peer, from: string): void {
    const now = this.#now();
    if (now - Math.max(peer.askedAt, this.#joinedAt) < aliveMs) return;
    peer.askedAt = now;
    this.#send(this.#all('hello'), from);
  }

  #learn(peer: Peer, from: string, { version, topics }: { version: number; topics: string[] }): void {
    peer.topics = new Set(topics);
    this.#confirm(peer, from, version);
  }

  #confirm(peer: Peer, from: string, version: number): void {
    peer.version = version;
    this.#send({ kind: 'seen', version }, from);
  }

  #all = <Kind extends 'hello' | 'topics'>(kind: Kind) => ({ kind, version: this.#version, topics: [...this.#own] });

  /** Viewers that arrive together are announced together. */
  #announceSoon(): void {
    if (this.#added.size + this.#removed.size === 1) this.#soon(() => this.#announce());
  }

  #announce(): void {
    this.#version++;
    this.#send({ kind: 'change', version: this.#version, add: [...this.#added], remove: [...this.#removed] });
    this.#added.clear();
    this.#removed.clear();
    this.#settle();
  }

  #settle(): void {
    const now = this.#now();
    const seen = Math.min(this.#version, ...[...this.#peers.values()].map((peer) => peer.seen));
    const isOver = ({ version, until }: { version: number; until: number }): boolean => version <= seen || until <= now;
    const over = this.#waiting.filter(isOver);
    if (over.length === 0) return;
    this.#waiting = this.#waiting.filter((waiting) => !isOver(waiting));
    for (const { resolve } of over) resolve();
  }
}

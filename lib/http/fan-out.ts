import { EventBatch } from './sse.ts';

type Listener = (parcel: EventBatch) => void;

type Channel = { listeners: Set<Listener>; waiting: string[] };

/** Events for all who listen to a channel. */
export type FanOut = {
  hasListeners(name: string): boolean;
  /** The first after a silence leaves at once. Later ones wait for up to 50 ms and leave together, unless they are to leave now. */
  emit(name: string, event: string, when: 'now' | 'soon'): void;
  /** What waits in the channel leaves now. */
  flush(name: string): void;
  /** True for the first listener of a channel; it gets what is emitted from now on. */
  add(name: string, listener: Listener): boolean;
  /** True for the last. */
  remove(name: string, listener: Listener): boolean;
};

const restMs = 50;
const sliceMs = 5; // then others have their turn; what is emitted meanwhile leaves with what waits

export function createFanOut(): FanOut {
  const channels = new Map<string, Channel>();
  const due = new Set<Channel>();
  const resting = new Set<Channel>(); // sent something within the last tick
  let ticking: NodeJS.Timeout | undefined;

  function makeDue(channel: Channel): void {
    if (due.size === 0) setImmediate(sendDue);
    due.add(channel);
  }

  function sendDue(): void {
    const end = performance.now() + sliceMs;
    for (const channel of due) {
      due.delete(channel);
      send(channel);
      if (performance.now() > end) break;
    }
    if (due.size > 0) setImmediate(sendDue);
  }

  function send(channel: Channel): void {
    if (channel.waiting.length === 0) return;
    const parcel = new EventBatch(channel.waiting);
    channel.waiting = [];
    resting.add(channel);
    ticking ??= setInterval(tick, restMs).unref();
    for (const listener of channel.listeners) listener(parcel);
  }

  function tick(): void {
    for (const channel of resting) {
      if (channel.waiting.length > 0) makeDue(channel);
      else resting.delete(channel);
    }
    if (resting.size > 0) return;
    clearInterval(ticking);
    ticking = undefined;
  }

  function flush(name: string): void {
    const channel = channels.get(name);
    if (channel) send(channel);
  }

  return {
    hasListeners: (name) => channels.has(name),
    emit(name, event, when) {
      const channel = channels.get(name);
      if (!channel) return;
      channel.waiting.push(event);
      if (when === 'now' || !resting.has(channel)) makeDue(channel);
    },
    flush,
    add(name, listener) {
      flush(name);
      const known = channels.get(name);
      if (known) known.listeners.add(listener);
      else channels.set(name, { listeners: new Set([listener]), waiting: [] });
      return !known;
    },
    remove(name, listener) {
      const channel = channels.get(name);
      if (!channel?.listeners.delete(listener) || channel.listeners.size > 0) return false;
      return channels.delete(name);
    },
  };
}

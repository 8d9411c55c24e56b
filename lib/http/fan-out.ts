import { EventBatch } from './sse.ts';

type Listener = (batch: EventBatch) => void;

type Channel = { listeners: Set<Listener>; waiting: string[] };

const batchMs = 50;
const sliceMs = 5; // then the event loop continues; events emitted meanwhile join the waiting ones

/** Delivers events to all listeners of a channel. */
export function createFanOut() {
  const channels = new Map<string, Channel>();
  const due = new Set<Channel>();
  const recent = new Set<Channel>(); // sent something within the last tick
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
    const batch = new EventBatch(channel.waiting);
    channel.waiting = [];
    recent.add(channel);
    ticking ??= setInterval(tick, batchMs).unref();
    for (const listener of channel.listeners) listener(batch);
  }

  function tick(): void {
    for (const channel of recent) {
      if (channel.waiting.length > 0) makeDue(channel);
      else recent.delete(channel);
    }
    if (recent.size > 0) return;
    clearInterval(ticking);
    ticking = undefined;
  }

  /** Sends the waiting events of a channel now. */
  function flush(name: string): void {
    const channel = channels.get(name);
    if (channel) send(channel);
  }

  return {
    hasListeners: (name: string): boolean => channels.has(name),
    /** Sends the first event after a pause at once. Later events are batched for up to 50 ms, unless `when` is 'now'. */
    emit(name: string, event: string, when: 'now' | 'soon'): void {
      const channel = channels.get(name);
      if (!channel) return;
      channel.waiting.push(event);
      if (when === 'now' || !recent.has(channel)) makeDue(channel);
    },
    flush,
    /** Adds a listener for events from now on. Returns whether it is the first of the channel. */
    add(name: string, listener: Listener): boolean {
      flush(name);
      const known = channels.get(name);
      if (known) known.listeners.add(listener);
      else channels.set(name, { listeners: new Set([listener]), waiting: [] });
      return !known;
    },
    /** Removes a listener. Returns whether it was the last of the channel. */
    remove(name: string, listener: Listener): boolean {
      const channel = channels.get(name);
      if (!channel?.listeners.delete(listener) || channel.listeners.size > 0) return false;
      return channels.delete(name);
    },
  };
}

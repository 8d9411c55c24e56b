import type { Channel, Message } from 'amqplib';

export type Settlement = {
  opened(tag: number): void;
  stored(tag: number): void;
  /** Handling it failed and will be tried again; the ones behind it do not wait. */
  held(tag: number): void;
  /** To the dead letters. */
  setAside(tag: number): void;
  /** Resolves when nothing is open. */
  settled(): Promise<void>;
  /** The channel is gone: the broker delivers again whatever was open. */
  end(): void;
};

type State = 'open' | 'stored' | 'held';

/**
 * Tells the broker what was stored: all up to the first delivery that is still open in one frame, which costs next to
 * nothing. Only behind a held one are they acknowledged singly.
 */
export function createSettlement(channel: Pick<Channel, 'ack' | 'nack'>): Settlement {
  const states = new Map<number, State>(); // by delivery tag, in the order of delivery
  const waiting: (() => void)[] = [];
  let held = 0;
  let isScheduled = false;
  let isEnded = false;

  function change(tag: number, state?: State): void {
    if (states.get(tag) === 'held') held--;
    if (state === 'held') held++;
    if (state) states.set(tag, state);
    else states.delete(tag);
    if (isScheduled || isEnded) return;
    isScheduled = true;
    setImmediate(flush); // a batch is stored at once, so it is acknowledged at once
  }

  function flush(): void {
    isScheduled = false;
    if (isEnded) return;
    let last = 0;
    for (const [tag, state] of states) {
      if (state !== 'stored') break;
      states.delete(tag);
      last = tag;
    }
    if (last > 0) channel.ack(delivery(last), true);
    if (held > 0) {
      for (const [tag, state] of states) {
        if (state !== 'stored') continue;
        states.delete(tag);
        channel.ack(delivery(tag));
      }
    }
    if (states.size === 0) for (const resolve of waiting.splice(0)) resolve();
  }

  return {
    opened: (tag) => void states.set(tag, 'open'),
    stored: (tag) => change(tag, 'stored'),
    held: (tag) => change(tag, 'held'),
    setAside(tag) {
      if (isEnded) return;
      channel.nack(delivery(tag), false, false);
      change(tag);
    },
    settled: () => (states.size === 0 || isEnded ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    end() {
      isEnded = true;
      for (const resolve of waiting.splice(0)) resolve();
    },
  };
}

// The library wants the message; it reads nothing of it but the tag.
const delivery = (deliveryTag: number): Message => ({ fields: { deliveryTag } }) as Message;

import type { Channel, Message } from 'amqplib';

export type Settlement = ReturnType<typeof createSettlement>;

type State = 'open' | 'stored' | 'held';

/**
 * Acknowledges stored deliveries: all up to the first open one in a single frame. Deliveries behind a held one are
 * acknowledged individually.
 */
export function createSettlement(channel: Pick<Channel, 'ack' | 'nack'>) {
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
    setImmediate(flush); // messages of a batch are stored together, so they are acknowledged together
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
    opened: (tag: number): void => void states.set(tag, 'open'),
    stored: (tag: number): void => change(tag, 'stored'),
    /** Marks a failed delivery that will be retried; later ones do not wait for it. */
    held: (tag: number): void => change(tag, 'held'),
    /** Moves a delivery to the dead letters. */
    setAside(tag: number): void {
      if (isEnded) return;
      channel.nack(delivery(tag), false, false);
      change(tag);
    },
    /** Resolves when nothing is open. */
    async settled(): Promise<void> {
      if (states.size > 0 && !isEnded) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    /** Ends with the channel: the broker delivers open messages again. */
    end(): void {
      isEnded = true;
      for (const resolve of waiting.splice(0)) resolve();
    },
  };
}

// The library takes the message but reads only its tag.
const delivery = (deliveryTag: number): Message => ({ fields: { deliveryTag } }) as Message;

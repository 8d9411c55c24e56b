import type { Aedes } from 'aedes';
import type { Logger } from '#lib/log.ts';
import type { Transport } from '../transport.ts';

type Deliver = Parameters<Aedes['subscribe']>[1];

/** Who listens from inside this process. */
export function createWatchers(aedes: Aedes, log: Logger) {
  let count = 0;

  const watch: Transport['watch'] = async (topic, listener) => {
    let isWatching = true;
    const deliver: Deliver = ({ payload }, done) => {
      try {
        if (isWatching) listener(payload.toString());
      } catch (error) {
        log.error({ err: error, topic }, 'a listener failed');
      }
      done();
    };
    count++;
    await new Promise<void>((resolve) => aedes.subscribe(topic, deliver, resolve));
    return () => {
      if (!isWatching) return;
      isWatching = false;
      count--;
      aedes.unsubscribe(topic, deliver, () => {});
    };
  };

  return { watch, hasAny: (): boolean => count > 0 };
}

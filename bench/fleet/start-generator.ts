import { startChild } from '../measure/child.ts';
import type { ServerProcess } from '../measure/server-process.ts';
import type { Login } from './enrol.ts';
import type { Done, Order } from './generator.ts';

export type Generator = AsyncDisposable & {
  /** seconds until all were logged in */
  loginSeconds: number;
  /** Publishes this many messages of each gateway, as fast as they are acknowledged. */
  publish(each: number): Promise<Done>;
  /** Publishes at a fixed rate; each gateway sends this many messages at once: one for each DER of its home. */
  pace(perSecond: number, seconds: number, together?: 1 | 5): Promise<Done>;
};

const atOnce = 50;

/** Logs the fleet in at a broker. */
export async function startGenerator({ mqttUrl }: ServerProcess, logins: Login[]): Promise<Generator> {
  await using open = new AsyncDisposableStack();
  const child = open.use(startChild(import.meta.resolve('./generator.ts')));
  const order = (what: Order): Promise<Done> => child.ask<Done>(what);
  const { seconds } = await order({ do: 'login', port: Number(new URL(mqttUrl!).port), logins, atOnce });
  const kept = open.move();
  return {
    loginSeconds: seconds,
    publish: (each) => order({ do: 'publish', each }),
    pace: (perSecond, seconds, together = 1) => order({ do: 'pace', perSecond, seconds, together }),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

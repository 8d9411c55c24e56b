import type { Login } from '../fleet/enrol.ts';
import type { Done } from '../fleet/generator.ts';
import { type Generator, startGenerator } from '../fleet/start-generator.ts';
import type { Nodes } from './start-nodes.ts';

/** The cost of a reading, µs of CPU, and the rate. */
export type Round = { stored: number; platform: number; postgres: number; rabbit: number; all: number };

/** Gateways spread evenly over some of the nodes. */
export type Fleet = {
  /** Publishes this many readings of each gateway, as fast as they are acknowledged: after they are committed. */
  publish(each: number): Promise<Round>;
  /** the number of readings so far */
  published(): number;
  /** Publishes at a fixed rate, without waiting for acknowledgements. */
  pace(perSecond: number, seconds: number): Promise<Round>;
};

/** Connects gateways to the first nodes, with a generator process for each node. */
export async function connectFleet(
  cluster: Nodes,
  { logins, over, open }: { logins: readonly Login[]; over: number; open: AsyncDisposableStack },
): Promise<Fleet> {
  const generators: Generator[] = [];
  for (const [number, node] of cluster.nodes.slice(0, over).entries()) {
    generators.push(
      open.use(
        await startGenerator(
          node,
          logins.filter((_, index) => index % over === number),
        ),
      ),
    );
  }
  let published = 0;
  const round = async (load: (generator: Generator) => Promise<Done>): Promise<Round> => {
    const before = await cluster.cpu(over);
    const began = performance.now();
    const done = await Promise.all(generators.map(load));
    const seconds = (performance.now() - began) / 1000;
    const after = await cluster.cpu(over);
    const messages = done.reduce((sum, each) => sum + each.messages, 0);
    published += messages;
    const platform = (after.platform - before.platform) / messages;
    const postgres = (after.postgres - before.postgres) / messages;
    const rabbit = (after.rabbit - before.rabbit) / messages;
    return { stored: messages / seconds, platform, postgres, rabbit, all: platform + postgres + rabbit };
  };
  return {
    published: () => published,
    publish: (each) => round((generator) => generator.publish(each)),
    pace: (perSecond, seconds) => round((generator) => generator.pace(perSecond / over, seconds)),
  };
}

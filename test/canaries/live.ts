import { setTimeout as sleep } from 'node:timers/promises';
import { readEvents } from '../cloud/event-reader.ts';
import { connectGateway, connectOnce } from '../cloud/gateway-client.ts';
import type { TestCloud } from '../cloud/open-cloud.ts';
import { type Household, openHousehold } from './household.ts';

export type Heard = { messages: number; leaks: string[] };

/** Two neighbours watch their streams and subscribe at the broker while both gateways publish: each gets its own home only. */
export async function listenToNeighbours(cloud: TestCloud, url: string, rounds: number): Promise<Heard> {
  const homes = [await openHousehold(cloud), await openHousehold(cloud)] as const;
  const listeners = await Promise.all(homes.map((home) => listen(cloud, url, home)));
  const broker = cloud.transport.urls.mqtt!;
  const gateways = await Promise.all(homes.map(({ gateway }) => connectGateway(broker, gateway, cloud.clock.now())));
  try {
    for (let round = 0; round < rounds; round++) {
      cloud.clock.advance(1000);
      await Promise.all(
        gateways.map((gateway, index) => {
          const { hardwareId, der, word } = homes[index]!;
          return gateway.report(hardwareId, der, { W: -round, make: word, timestamp: cloud.clock.now(), seq: round });
        }),
      );
    }
    for (const [index, listener] of listeners.entries()) await listener.hasHeard(homes[index]!.word, rounds);
    const leaks = listeners.flatMap((listener, index) => {
      const { word } = homes[1 - index]!;
      return listener.texts().filter((text) => text.includes(word));
    });
    return { messages: listeners.reduce((sum, listener) => sum + listener.texts().length, 0), leaks };
  } finally {
    await Promise.all([...gateways.map((gateway) => gateway.endAsync(true)), ...listeners.map(({ close }) => close())]);
  }
}

async function listen(cloud: TestCloud, url: string, { person, ids }: Household) {
  const stream = await readEvents(`${url}/stream/sites/${ids.site_id}`, { authorization: `Bearer ${person.token}` });
  const heard: string[] = [];
  const member = await connectOnce(cloud.transport.urls.mqtt!, {
    clientId: person.id,
    username: person.id,
    password: person.token,
  });
  member.on('message', (topic, payload) => void heard.push(`${topic} ${payload.toString()}`));
  await member.subscribeAsync(`orgs/${ids.org_id}/#`);
  const texts = (): string[] => [...heard, ...stream.events.map((event) => JSON.stringify(event))];
  return {
    texts,
    /** Waits until every reading was received both ways, at most ten seconds. */
    async hasHeard(word: string, rounds: number): Promise<void> {
      const count = (): number => texts().filter((text) => text.includes(word)).length;
      for (let tries = 0; count() < 2 * rounds; tries++) {
        if (tries === 1000) throw new Error(`heard ${count()} of ${2 * rounds}`);
        await sleep(10);
      }
    },
    async close(): Promise<void> {
      await stream.close();
      await member.endAsync(true);
    },
  };
}

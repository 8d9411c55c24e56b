import type { MqttClient } from 'mqtt';
import { commandAckTopic, logTopic, stateTopic, telemetryTopic } from '#contract/topics.ts';
import { connectGateway, connectOnce } from '../../cloud/gateway-client.ts';
import type { TestCloud } from '../../cloud/open-cloud.ts';
import type { GrowthCase } from './measure.ts';
import type { Holding } from './registry.ts';

const kilobyte = 1024;

/** Messages of gateways and members to the broker. */
export async function brokerCases(cloud: TestCloud, { owner }: Holding) {
  const url = cloud.transport.urls.mqtt!;
  const home = await cloud.home();
  const { serial } = home.gateway;
  const gateway = await connectGateway(url, home.gateway, cloud.clock.now());
  const clients: MqttClient[] = [gateway];
  let at = cloud.clock.now() - 3_600_000;

  const publish = (topic: string, payload: string | Buffer) => gateway.publishAsync(topic, payload, { qos: 1 });
  const report = (hardwareId: string, values: object) =>
    publish(telemetryTopic(serial, hardwareId, 'pv'), JSON.stringify({ timestamp: ++at, ...values }));

  /** One payload of this many bytes on a topic. */
  const payload = (covers: string, what: string, topic: string, text: (bytes: number) => string): GrowthCase => ({
    covers: [covers],
    what: `a payload, ${what}`,
    unit: 'kB',
    base: 12,
    async prepare(size) {
      const bytes = Buffer.from(text(size * kilobyte));
      return () => publish(topic, bytes);
    },
  });
  const nested = (bytes: number): string => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2);
  const keys = (bytes: number): string =>
    JSON.stringify(Object.fromEntries(Array.from({ length: bytes / 16 }, (_, n) => [`key${1e6 + n}`, 123])));

  /** A member of this many organizations, connected. */
  async function memberOf(organizations: number): Promise<MqttClient> {
    const member = await cloud.person();
    await cloud.store.write(async ({ db }) => {
      const known = await db.selectFrom('organizations').select('id').limit(organizations).execute();
      for (const { id } of known) {
        const row = {
          org_id: id,
          identity_id: member.id,
          role: 'viewer',
          joined_at: cloud.clock.now(),
          origin: 'added',
        } as const;
        await db.insertInto('members').values(row).execute();
      }
    });
    const client = await connectOnce(url, {
      clientId: member.id,
      username: member.id,
      password: member.token,
      protocolVersion: 4,
    });
    clients.push(client);
    return client;
  }

  /** The broker has answered, or closed the connection. */
  const answered = (client: MqttClient, filters: string[]): Promise<void> =>
    new Promise((resolve) => {
      client.once('close', resolve);
      client.subscribe(filters, { qos: 0 }, () => resolve());
    });

  const cases: GrowthCase[] = [
    {
      covers: ['topic telemetryTopic'],
      what: 'fields of a reading',
      unit: 'fields',
      base: 6,
      async prepare(size) {
        const values = Object.fromEntries(Array.from({ length: size }, (_, n) => [`field_${n}`, n]));
        return () => report('INV-1', values);
      },
    },
    {
      covers: ['topic telemetryTopic'],
      what: 'readings with 99 new field names each',
      unit: 'readings',
      base: 4,
      async prepare(size) {
        let next = size * 1e9;
        const names = () => Object.fromEntries(Array.from({ length: 99 }, () => [`f${++next}`, 1]));
        return () => Promise.all(Array.from({ length: size }, () => report('INV-1', names())));
      },
    },
    {
      covers: ['topic telemetryTopic'],
      what: 'readings of devices that do not exist, each with a new id',
      unit: 'devices',
      base: 10,
      async prepare(size) {
        let next = size * 1e9;
        return () => Promise.all(Array.from({ length: size }, () => report(`INVENTED-${++next}`, { W: 1 })));
      },
    },
    payload('topic telemetryTopic', 'nested lists', telemetryTopic(serial, 'INV-1', 'pv'), nested),
    payload('topic telemetryTopic', 'many keys', telemetryTopic(serial, 'INV-1', 'pv'), keys),
    payload('topic stateTopic', 'many keys', stateTopic(serial), keys),
    payload('topic logTopic', 'text', logTopic(serial), (bytes) => 'x'.repeat(bytes)),
    payload('topic logTopic', 'lines', logTopic(serial, 'earlier'), (bytes) => '\n'.repeat(bytes)),
    payload('topic commandAckTopic', 'nested lists', commandAckTopic(serial, 'battery', 'INV-1'), nested),
    payload('topic commandAckTopic', 'many keys', commandAckTopic(serial, 'battery', 'INV-1'), keys),
    {
      covers: ['topic orgTelemetryTopic', 'SUBSCRIBE'],
      what: 'filters in one packet, and as many organizations of the member',
      unit: 'filters',
      base: 50,
      async prepare(size) {
        const client = await memberOf(size);
        const filters = Array.from({ length: size }, (_, n) => `orgs/none-${n}/#`);
        return () => answered(client, filters);
      },
    },
    {
      covers: ['SUBSCRIBE'],
      what: 'filters in one packet',
      unit: 'filters',
      base: 60,
      async prepare(size) {
        const client = await memberOf(1);
        const filters = Array.from({ length: size }, (_, n) => `orgs/none-${n}/#`);
        return () => answered(client, filters);
      },
    },
    {
      covers: ['SUBSCRIBE'],
      what: 'levels of one filter',
      unit: 'levels',
      base: 2000,
      isSingleUse: true,
      async prepare(size) {
        const client = await memberOf(1);
        return () => answered(client, [`orgs/none${'/a'.repeat(size)}`]);
      },
    },
    {
      covers: ['UNSUBSCRIBE'],
      what: 'filters in one packet',
      unit: 'filters',
      base: 60,
      async prepare(size) {
        const client = await memberOf(1);
        const filters = Array.from({ length: size }, (_, n) => `orgs/none-${n}/#`);
        return () => client.unsubscribeAsync(filters);
      },
    },
    {
      covers: ['CONNECT'],
      what: 'an invalid token as password',
      unit: 'kB',
      base: 3,
      async prepare(size) {
        const password = 'x.'.repeat((size * kilobyte) / 2);
        return () =>
          connectOnce(url, { clientId: owner.id, username: owner.id, password, protocolVersion: 4 }).catch(() => {});
      },
    },
  ];
  return {
    cases,
    async close(): Promise<void> {
      for (const client of clients) await client.endAsync(true);
    },
  };
}

/** A node tells the details of a connection, and closes it by its name, only some seconds after it began. */
export type MqttConnection = {
  name: string;
  username: string;
  clientId?: string | undefined;
  connectedAtMs?: number | undefined;
};

export type Management = {
  closeAllOf(username: string): Promise<void>;
  close(connection: { name: string }): Promise<void>;
  connectionsOf(username: string): Promise<MqttConnection[]>;
  allConnections(): AsyncGenerator<MqttConnection>;
};

type Listed = {
  name: string;
  user: string;
  protocol?: string;
  connected_at?: number;
  client_properties?: { client_id?: string };
};
type Page = { page_count: number; items: Listed[] };

const timeoutMs = 1_500; // three nodes are asked within the five seconds a disconnect may take
const pageSize = 500;
const columns = 'columns=name,user,protocol,connected_at,client_properties.client_id';

/** The management API of any node: closing other people's connections is not part of AMQP. */
export function createManagement(urls: readonly string[]): Management {
  const nodes = urls.map((address) => {
    const { origin, username, password } = new URL(address);
    const account = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return { origin, authorization: `Basic ${Buffer.from(account).toString('base64')}` };
  });

  /** The answer of the first node that gives one; undefined when there is no such thing. */
  async function ask<Answer>(method: 'GET' | 'DELETE', path: string): Promise<Answer | undefined> {
    const failures: unknown[] = [];
    for (const { origin, authorization } of nodes) {
      try {
        const signal = AbortSignal.timeout(timeoutMs);
        const reply = await fetch(`${origin}/api/connections${path}`, { method, headers: { authorization }, signal });
        const text = await reply.text();
        if (reply.status === 404) return undefined;
        if (!reply.ok) throw new Error(`${origin} answered ${reply.status}.`);
        return text ? (JSON.parse(text) as Answer) : undefined;
      } catch (error) {
        failures.push(error);
      }
    }
    throw new AggregateError(failures, 'No node of the broker answered.');
  }

  return {
    closeAllOf: (username) => ask<never>('DELETE', `/username/${encodeURIComponent(username)}`),
    close: ({ name }) => ask<never>('DELETE', `/${encodeURIComponent(name)}`),
    async connectionsOf(username) {
      const tracked = (await ask<{ name: string }[]>('GET', `/username/${encodeURIComponent(username)}`)) ?? [];
      const details = tracked.map(async ({ name }) => {
        const listed = await ask<Listed>('GET', `/${encodeURIComponent(name)}?${columns}`);
        return connectionOf({ name, user: username, ...listed });
      });
      return Promise.all(details);
    },
    async *allConnections() {
      let pages = 1;
      for (let page = 1; page <= pages; page++) {
        const answer = await ask<Page>('GET', `?page=${page}&page_size=${pageSize}&${columns}`);
        pages = answer?.page_count ?? 0;
        for (const listed of answer?.items ?? []) if (isMqtt(listed)) yield connectionOf(listed);
      }
    },
  };
}

const isMqtt = ({ protocol }: Listed): boolean => /MQTT/u.test(protocol ?? '');

const connectionOf = (listed: Listed): MqttConnection => ({
  name: listed.name,
  username: listed.user,
  clientId: listed.client_properties?.client_id,
  connectedAtMs: listed.connected_at,
});

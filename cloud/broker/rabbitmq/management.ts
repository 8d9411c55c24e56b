/** A node knows the details of a connection, and closes it by name, only some seconds after it began. */
export type MqttConnection = {
  name: string;
  username: string;
  clientId?: string | undefined;
  connectedAtMs?: number | undefined;
};

export type Management = ReturnType<typeof createManagement>;

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

/** Calls the management API of any node: AMQP cannot close connections of others. */
export function createManagement(urls: readonly string[]) {
  const nodes = urls.map(managementNode);

  /** Returns the answer of the first node that responds; undefined for 404. */
  async function ask<Answer>(method: 'GET' | 'DELETE', path: string): Promise<Answer | undefined> {
    const failures: Error[] = [];
    for (const node of nodes) {
      try {
        const { status, text } = await askNode(node, method, path);
        if (status === 404) return undefined;
        if (status >= 400) throw new Error(`${node.origin} answered ${status}.`);
        const answer: Answer | undefined = text ? JSON.parse(text) : undefined;
        return answer;
      } catch (error) {
        failures.push(error instanceof Error ? error : new Error(String(error)));
      }
    }
    const reasons = failures.map(({ message }) => message).join(' ');
    throw new AggregateError(failures, `The management interface of the broker cannot be used: ${reasons}`);
  }

  return {
    closeAllOf: (username: string): Promise<void> => ask<never>('DELETE', `/username/${encodeURIComponent(username)}`),
    close: ({ name }: { name: string }): Promise<void> => ask<never>('DELETE', `/${encodeURIComponent(name)}`),
    async connectionsOf(username: string): Promise<MqttConnection[]> {
      const tracked = (await ask<{ name: string }[]>('GET', `/username/${encodeURIComponent(username)}`)) ?? [];
      const details = tracked.map(async ({ name }) => {
        const listed = await ask<Listed>('GET', `/${encodeURIComponent(name)}?${columns}`);
        return connectionOf({ name, user: username, ...listed });
      });
      return Promise.all(details);
    },
    async *allConnections(): AsyncGenerator<MqttConnection> {
      let pages = 1;
      for (let page = 1; page <= pages; page++) {
        const answer = await ask<Page>('GET', `?page=${page}&page_size=${pageSize}&${columns}`);
        pages = answer?.page_count ?? 0;
        for (const listed of answer?.items ?? []) if (isMqtt(listed)) yield connectionOf(listed);
      }
    },
  };
}

type Node = { origin: string; authorization: string };

export function managementNode(address: string): Node {
  const { origin, username, password } = new URL(address);
  const account = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { origin, authorization: `Basic ${Buffer.from(account).toString('base64')}` };
}

async function askNode({ origin, authorization }: Node, method: 'GET' | 'DELETE', path: string) {
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const reply = await fetch(`${origin}/api/connections${path}`, { method, headers: { authorization }, signal });
    return { status: reply.status, text: await reply.text() };
  } catch (error) {
    throw new Error(`${origin} does not answer.`, { cause: error });
  }
}

const isMqtt = ({ protocol }: Listed): boolean => /MQTT/u.test(protocol ?? '');

const connectionOf = (listed: Listed): MqttConnection => ({
  name: listed.name,
  username: listed.user,
  clientId: listed.client_properties?.client_id,
  connectedAtMs: listed.connected_at,
});

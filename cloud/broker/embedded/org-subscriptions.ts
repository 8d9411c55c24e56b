import type { Registrar } from '../transport.ts';
import type { BrokerConnection } from './connection.ts';

/** Stands for all organizations, which platform administrators may subscribe to. */
export const everyOrganization = 'orgs/+';

/** Returns what a topic or filter below `orgs/` is about: `orgs/<id>`, or all organizations. */
export const organizationOf = (topic: string): string => topic.split('/', 2).join('/');

export type OrgSubscriptions = ReturnType<typeof createOrgSubscriptions>;

/** Counts the connections that are subscribed to each organization, so that nothing is published for nobody. */
export function createOrgSubscriptions(subscribe: Registrar['subscribe']) {
  const counted = new Map<string, { connections: number; registered: Promise<() => void> }>();

  function leave(connection: BrokerConnection, organization: string): void {
    const subscribed = counted.get(organization);
    if (!connection.organizations?.delete(organization) || !subscribed) return;
    subscribed.connections--;
    if (subscribed.connections > 0) return;
    counted.delete(organization);
    void subscribed.registered.then((unregister) => unregister());
  }

  return {
    has: (topic: string): boolean =>
      counted.size > 0 && (counted.has(everyOrganization) || counted.has(organizationOf(topic))),

    /** Resolves when every process of the platform knows. */
    async enter(connection: BrokerConnection, filter: string): Promise<void> {
      const organization = organizationOf(filter);
      const subscribed = counted.get(organization) ?? { connections: 0, registered: subscribe(organization) };
      counted.set(organization, subscribed);
      connection.organizations ??= new Set();
      if (!connection.organizations.has(organization)) subscribed.connections++;
      connection.organizations.add(organization);
      await subscribed.registered;
    },

    /** Leaves the organizations that no filter of the connection names any more. */
    keepOnly(connection: BrokerConnection, filters: readonly string[]): void {
      const named = new Set(filters.map(organizationOf));
      for (const organization of connection.organizations ?? [])
        if (!named.has(organization)) leave(connection, organization);
    },
  };
}

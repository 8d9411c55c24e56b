import { brokerOrigin } from '#contract/broker-origin.ts';
import { readJsonOrWarn, writeJson } from '#lib/atomic-file.ts';
import type { Logger } from '#lib/log.ts';
import type { BrokerAddress } from '../links/mqtt/broker-address.ts';

/** The claims that name the broker a token is made for. */
export type TokenAudience = { aud: string; origin?: string };

const deploymentIdForm = /^urn:ohmstead:[0-9a-f-]{36}$/;

/**
 * Chooses the audience of broker tokens: the platform's deployment id, once the broker has sent it, else the broker's origin.
 * An id is used for the broker that sent it and for no other, and its tokens name the origin as well: a foreign broker
 * that sends the id of our platform gets tokens that the platform refuses.
 */
export function createTokenAudiences(path: string, log: Logger) {
  let reading: Promise<Map<string, string>> | undefined;
  let writing = Promise.resolve();

  async function read(): Promise<Map<string, string>> {
    try {
      const damaged = 'platform ids were damaged and set aside';
      return new Map(Object.entries((await readJsonOrWarn<Record<string, string>>(path, damaged, log)) ?? {}));
    } catch (error) {
      log.warn({ err: error }, 'failed to read the platform id; tokens name the origin of the broker');
      return new Map();
    }
  }

  /** Changes the stored ids by url; `change` returns whether it did. */
  async function update(change: (ids: Map<string, string>) => boolean): Promise<void> {
    reading ??= read();
    const ids = await reading;
    if (!change(ids)) return;
    writing = writeJson(path, Object.fromEntries(ids)).catch((error: unknown) =>
      log.warn({ err: error }, 'failed to store the platform id'),
    );
    await writing;
  }

  return {
    async of({ url }: BrokerAddress): Promise<TokenAudience> {
      const origin = brokerOrigin(url);
      if (origin === undefined) throw new Error('A broker address has no origin.');
      reading ??= read();
      const deploymentId = (await reading).get(url);
      return deploymentId === undefined ? { aud: origin } : { aud: deploymentId, origin };
    },
    async learn({ url }: BrokerAddress, payload: Buffer): Promise<void> {
      const id = readDeploymentId(payload);
      if (id !== undefined) await update((ids) => ids.get(url) !== id && ids.set(url, id).has(url));
    },
    /** After a refused login the platform may be another one, at the same address: the next token is made for the origin. */
    forget: ({ url }: BrokerAddress): Promise<void> => update((ids) => ids.delete(url)),
    /** Removes the ids of brokers that the configuration does not contain any more. */
    keepOnly: (brokers: readonly BrokerAddress[]): Promise<void> =>
      update((ids) => {
        const gone = [...ids.keys()].filter((url) => !brokers.some((broker) => broker.url === url));
        for (const url of gone) ids.delete(url);
        return gone.length > 0;
      }),
    close: () => writing,
  };
}

function readDeploymentId(payload: Buffer): string | undefined {
  try {
    const id: unknown = JSON.parse(payload.toString())?.deployment_id;
    return typeof id === 'string' && deploymentIdForm.test(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

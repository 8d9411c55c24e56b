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
export class TokenAudiences {
  readonly #path: string;
  readonly #log: Logger;
  #reading: Promise<Map<string, string>> | undefined;
  #writing = Promise.resolve();

  constructor(path: string, log: Logger) {
    this.#path = path;
    this.#log = log;
  }

  async of({ url }: BrokerAddress): Promise<TokenAudience> {
    const origin = brokerOrigin(url);
    if (origin === undefined) throw new Error('A broker address has no origin.');
    const deploymentId = (await this.#ids()).get(url);
    return deploymentId === undefined ? { aud: origin } : { aud: deploymentId, origin };
  }

  /** Takes the message of a platform. */
  async learn({ url }: BrokerAddress, payload: Buffer): Promise<void> {
    const deploymentId = readDeploymentId(payload);
    const ids = await this.#ids();
    if (deploymentId === undefined || ids.get(url) === deploymentId) return;
    ids.set(url, deploymentId);
    await this.#keep(ids);
  }

  /** After a refused login the platform may be another one, at the same address: the next token is made for the origin. */
  async forget({ url }: BrokerAddress): Promise<void> {
    const ids = await this.#ids();
    if (ids.delete(url)) await this.#keep(ids);
  }

  /** Removes the ids of brokers that the configuration does not contain any more. */
  async keepOnly(brokers: readonly BrokerAddress[]): Promise<void> {
    const ids = await this.#ids();
    const gone = [...ids.keys()].filter((url) => !brokers.some((broker) => broker.url === url));
    for (const url of gone) ids.delete(url);
    if (gone.length > 0) await this.#keep(ids);
  }

  close = (): Promise<void> => this.#writing;

  #ids(): Promise<Map<string, string>> {
    this.#reading ??= this.#read();
    return this.#reading;
  }

  async #read(): Promise<Map<string, string>> {
    try {
      const kept = await readJsonOrWarn<Record<string, string>>(
        this.#path,
        'platform ids were damaged and set aside',
        this.#log,
      );
      return new Map(Object.entries(kept ?? {}));
    } catch (error) {
      this.#log.warn({ err: error }, 'failed to read the platform id; tokens name the origin of the broker');
      return new Map();
    }
  }

  #keep(ids: Map<string, string>): Promise<void> {
    this.#writing = this.#writing
      .then(() => writeJson(this.#path, Object.fromEntries(ids)))
      .catch((error: unknown) => this.#log.warn({ err: error }, 'failed to store the platform id'));
    return this.#writing;
  }
}

function readDeploymentId(payload: Buffer): string | undefined {
  try {
    const id: unknown = JSON.parse(payload.toString())?.deployment_id;
    return typeof id === 'string' && deploymentIdForm.test(id) ? id : undefined;
  } catch {
    return undefined;
  }
}

import { randomUUID } from 'node:crypto';
import {
  type ArgsOf,
  keysType,
  ManageAnswer,
  type ManageRequest,
  maxAnswerBytes,
  maxRequestBytes,
  type OperationName,
  operations,
  type PlatformKeys,
  type RefusalCode,
  type ResultOf,
  refusalCodes,
  requestLifeS,
  requestType,
} from '#contract/manage.ts';
import { Problem } from '#contract/problem.ts';
import { minuteMs } from '#contract/time.ts';
import { manageRequestTopic, platformMessage } from '#contract/topics.ts';
import type { Clock } from '#lib/clock.ts';
import { validator } from '#lib/http/validate.ts';
import { hold } from '../access/authorize.ts';
import type { Caller } from '../access/caller.ts';
import type { Transport } from '../broker/transport.ts';
import type { KeyRing } from '../identity/key-ring.ts';
import { audit } from '../organizations/audit.ts';
import { findGateway } from '../store/gateways.ts';
import type { Store } from '../store/store.ts';
import type { Live } from '../telemetry/live.ts';

type Signer = { keys: Pick<KeyRing, 'jwks' | 'signTyped'>; deploymentId: string; clock: Clock };

/** Returns the message that gateways get when they subscribe. It is signed once a minute, not for every gateway. */
export function createPlatformMessage({ keys, deploymentId, clock }: Signer): () => string {
  let signed = { message: '', kids: '', at: Number.NEGATIVE_INFINITY };
  return () => {
    const now = clock.now();
    const published = keys.jwks().keys.map(({ kid, x }) => ({ kid, x }));
    const kids = published.map(({ kid }) => kid).join();
    if (kids !== signed.kids || Math.abs(now - signed.at) >= minuteMs) {
      const list: PlatformKeys = { iss: deploymentId, iat: Math.floor(now / 1000), keys: published };
      signed = { message: platformMessage(deploymentId, keys.signTyped(keysType, list)), kids, at: now };
    }
    return signed.message;
  };
}

export type ManagementLimits = typeof defaultLimits;

const defaultLimits = {
  /** within which a gateway accepts a request; older ones never answer */
  acceptMs: 8000,
  /** within which it answers an accepted request; a P1 meter is listened to at several speeds */
  answerMs: 55_000,
  perGateway: 4,
  perProcess: 500,
};

export type ManagementDeps = Signer & {
  store: Pick<Store, 'db' | 'write'>;
  live: Pick<Live, 'listen' | 'emit' | 'hasListeners'>;
  transport: Pick<Transport, 'publish' | 'canPublish'>;
  limits?: Partial<ManagementLimits>;
};

export type Management = ReturnType<typeof createManagement>;

type Asked = { serial: string; orgId: string; caller: Caller };

/** Answers travel between processes on a channel of their own, which names the gateway: no other one can answer. */
const channelOf = (serial: string, id: string): string => `gateway-answer/${serial}/${id}`;

const isAnswer = validator(ManageAnswer, 'body', 'ignore');

/** Parses an answer of a gateway; undefined if it is too large or malformed. */
function parseAnswer(payload: Uint8Array | string): ManageAnswer | undefined {
  if (payload.length > maxAnswerBytes) return undefined;
  try {
    const answer: unknown = JSON.parse(payload.toString());
    return isAnswer(answer) ? answer : undefined;
  } catch {
    return undefined;
  }
}

/** Passes the answer of a gateway to the process that waits for it. */
export function passOnAnswer(live: ManagementDeps['live'], serial: string, payload: Uint8Array): void {
  const answer = parseAnswer(Buffer.from(payload));
  if (!answer) return;
  const channel = channelOf(serial, answer.id);
  if (live.hasListeners(channel)) live.emit(channel, JSON.stringify(answer));
}

const resultChecks = new Map<string, (value: unknown) => boolean>(
  Object.entries(operations).map(([name, { result }]) => [name, validator(result, 'body', 'ignore')]),
);

/** Asks gateways to scan, add and change devices, in the name of the organization that claimed them. */
export function createManagement({ keys, deploymentId, store, live, transport, clock, ...options }: ManagementDeps) {
  const limits = { ...defaultLimits, ...options.limits };
  const waiting = new Map<string, number>(); // requests by gateway
  let total = 0;

  function sign(id: string, { serial, orgId, caller }: Asked, op: OperationName, args: unknown): string {
    const iat = Math.floor(clock.now() / 1000);
    const request: ManageRequest = {
      iss: deploymentId,
      aud: serial,
      jti: id,
      iat,
      exp: iat + requestLifeS,
      org: orgId,
      by: caller.identityId,
      op,
      args,
    };
    const text = keys.signTyped(requestType, request);
    if (text.length > maxRequestBytes)
      throw new Problem('payload_too_large', 'The request is too large for a gateway.');
    return text;
  }

  async function checkOwner({ serial, orgId }: Asked): Promise<{ isOnline: boolean }> {
    const gateway = await findGateway(store.db, serial);
    if (gateway?.org_id !== orgId) throw new Problem('not_found', `Unknown gateway ${serial}.`);
    return { isOnline: gateway.online === 1 };
  }

  /** Checks the rights again after the wait: the gateway may have another owner meanwhile, or the caller another role. */
  async function checkAgain({ serial, orgId, caller }: Asked): Promise<void> {
    const named = { params: { serial }, query: {}, body: {} };
    const held = await hold([{ right: 'manage', on: 'gateway', from: 'params.serial' }], caller, named, store.db);
    if (held.gateway?.orgId !== orgId) throw new Problem('not_found', `Unknown gateway ${serial}.`);
  }

  async function exchange(asked: Asked, op: OperationName, args: unknown): Promise<unknown> {
    const { serial } = asked;
    const id = randomUUID();
    const text = sign(id, asked, op, args);
    const accepted = Promise.withResolvers<void>();
    const answered = Promise.withResolvers<ManageAnswer>();
    const stop = await live.listen(channelOf(serial, id), ({ events }) => {
      for (const answer of events.map(parseAnswer)) {
        accepted.resolve();
        if (answer && !answer.accepted) answered.resolve(answer);
      }
    });
    const timers: NodeJS.Timeout[] = [];
    const late = (ms: number, sentence: string): Promise<never> =>
      new Promise((_, reject) => {
        timers.push(setTimeout(() => reject(new Problem('gateway_unanswered', sentence)), ms));
      });
    try {
      if (!transport.publish(manageRequestTopic(serial), text)) throw brokerDown();
      await Promise.race([accepted.promise, late(limits.acceptMs, silent)]);
      return resultOf(await Promise.race([answered.promise, late(limits.answerMs, unfinished)]), op);
    } finally {
      for (const timer of timers) clearTimeout(timer);
      stop();
    }
  }

  return {
    /** Asks a gateway and waits for its answer. Throws a Problem if it cannot be reached, or refuses. */
    async ask<Name extends OperationName>(asked: Asked, op: Name, args: ArgsOf<Name>): Promise<ResultOf<Name>> {
      const { serial, orgId, caller } = asked;
      if (!transport.canPublish) throw brokerDown();
      if (!(await checkOwner(asked)).isOnline) throw new Problem('gateway_offline', offline);
      const count = waiting.get(serial) ?? 0;
      if (count >= limits.perGateway || total >= limits.perProcess) {
        throw new Problem('rate_limited', 'Too many requests wait for an answer.', { retryAfterSeconds: 2 });
      }
      waiting.set(serial, count + 1);
      total++;
      try {
        if (isChange(op)) {
          const now = clock.now();
          await store.write(({ db }) =>
            audit({ db, now, caller }, orgId, `gateway.${op}_requested`, serial, detailsOf(args)),
          );
        }
        const result = await exchange(asked, op, args);
        await checkAgain(asked);
        return result as ResultOf<Name>; // validated
      } finally {
        total--;
        const left = (waiting.get(serial) ?? 1) - 1;
        if (left > 0) waiting.set(serial, left);
        else waiting.delete(serial);
      }
    },
  };
}

type ChangeName = {
  [Name in OperationName]: (typeof operations)[Name]['changes'] extends true ? Name : never;
}[OperationName];

const isChange = (op: OperationName): op is ChangeName => operations[op].changes;

/** Returns what the audit log contains of the arguments: never a meter key or a password. */
function detailsOf(args: object): Record<string, unknown> {
  const shown = ['type', 'profile', 'ip', 'port', 'unit_id', 'serial_port', 'broker_host', 'sn', 'ders'];
  return Object.fromEntries(Object.entries(args).filter(([name]) => shown.includes(name)));
}

const offline = 'The gateway is not connected to the platform. Check its power and its internet connection.';
const silent =
  'The gateway does not answer requests of the platform: it is older than this feature or of another make. Use its own page.';
const unfinished =
  'The gateway has accepted the request but did not finish it in time. Look at its state before you retry.';

const brokerDown = (): Problem =>
  new Problem('unavailable', 'The broker is temporarily unavailable; try again shortly.', { retryAfterSeconds: 2 });

const isRefusalCode = (code: string): code is RefusalCode => refusalCodes.some((known) => known === code);

/** Returns the valid result of an answer. Throws the refusal of the gateway, in its own words. */
function resultOf({ error, result }: ManageAnswer, op: OperationName): unknown {
  if (error && isRefusalCode(error.code)) {
    if (error.code === 'internal_error') throw new Problem('upstream_failed', `The gateway failed: ${error.message}`);
    throw new Problem(error.code, error.message, error.errors && { errors: error.errors });
  }
  if (error || !resultChecks.get(op)?.(result)) {
    throw new Problem('upstream_failed', 'The gateway sent an invalid answer. Its version may not fit this platform.');
  }
  return result;
}

import {
  ManageRequest,
  maxAnswerBytes,
  maxRequestBytes,
  type OperationName,
  operations,
  type RefusalCode,
  refusalCodes,
  requestLifeS,
  requestType,
} from '#contract/manage.ts';
import { fieldsProblem, Problem } from '#contract/problem.ts';
import { formatTime, minuteMs } from '#contract/time.ts';
import { manageAnswerTopic } from '#contract/topics.ts';
import type { Clock } from '#lib/clock.ts';
import { fieldErrors, validator } from '#lib/http/validate.ts';
import { readTyped } from '#lib/keys/typed-message.ts';
import type { Logger } from '#lib/log.ts';
import { createRateLimiter } from '#lib/rate-limit.ts';
import type { Operations } from './operations.ts';
import type { PlatformKeyStore } from './platform-keys.ts';
import type { RemoteManagement } from './remote-management.ts';

export type ManageRequestsDeps = {
  serial: string;
  keys: Pick<PlatformKeyStore, 'of'>;
  management: Pick<RemoteManagement, 'isEnabled' | 'note'>;
  isClaimed(): boolean;
  perform: Operations;
  publish(topic: string, answer: object): boolean;
  clock: Clock;
  log: Logger;
};

const skewMs = 60_000; // between the clocks of platform and gateway
const maxPending = 8;
const perMinute = 240;
const maxRemembered = 4 * perMinute; // more than arrive while one is valid

const isRequest = validator(ManageRequest, 'body', 'ignore');

const argsChecks = new Map(
  Object.entries(operations).map(([name, { args }]) => [name, validator(args, 'body', 'refuse')]),
);

const isOperation = (name: string): name is OperationName => Object.hasOwn(operations, name);

const refuse = (sentence: string): Problem => new Problem('management_refused', sentence);

/** Handles the signed requests of the platform: checks who asks, performs the operation and answers. */
export function createManageRequests(deps: ManageRequestsDeps) {
  const { serial, keys, management, clock, log } = deps;
  const limiter = createRateLimiter({ limit: perMinute, windowMs: minuteMs, clock, maxKeys: 2 });
  const seen = new Map<string, number>(); // ids of requests, with the time when they expire
  let listeningSince: number | undefined; // ids of requests before this time may have been forgotten in a restart
  let pending = 0;

  /** Returns the request if it is signed by the platform behind this broker, for this gateway, now and for the first time. */
  function verify(brokerUrl: string, text: string, request: ManageRequest): void {
    const now = clock.now();
    const platform = keys.of(brokerUrl);
    const signed = readTyped(requestType, text);
    const key = platform?.keys.find(({ kid }) => kid === signed?.kid);
    if (!signed || !platform || !key || !signed.isSignedBy(key.x) || request.iss !== platform.iss) {
      throw refuse(
        'The gateway does not know the key that signed this request. If the keys of the platform were replaced, ' +
          "switch remote management off and on again on the gateway's own page.",
      );
    }
    const { aud, jti, iat, exp } = request;
    if (aud !== serial) throw refuse('The request is for another gateway.');
    if (exp - iat > requestLifeS || iat * 1000 > now + skewMs || exp * 1000 < now - skewMs) {
      throw refuse(`The request is not valid now; the clock of the gateway shows ${formatTime(now)}.`);
    }
    if (iat * 1000 + 1000 <= (listeningSince ?? now)) throw refuse('The gateway has just started; try again.');
    if (seen.has(jti)) throw refuse('The request was received before.');
    for (const [id, until] of seen) if (until < now) seen.delete(id);
    if (seen.size >= maxRemembered) throw new Problem('rate_limited', 'Too many requests; try again in a minute.');
    seen.set(jti, exp * 1000 + skewMs);
  }

  /** Returns the operation if it is allowed and its arguments are valid. */
  function allowedOperation({ op, args }: ManageRequest): OperationName {
    if (!deps.isClaimed()) throw refuse('The gateway is not claimed on this platform.');
    if (!management.isEnabled()) throw refuse("Remote management is switched off on the gateway's own page.");
    if (!isOperation(op)) throw refuse('The gateway does not offer this operation.');
    const check = argsChecks.get(op);
    if (check && !check(args)) throw fieldsProblem('invalid_request', fieldErrors('body', check.errors ?? []));
    return op;
  }

  async function handle(brokerUrl: string, text: string, request: ManageRequest): Promise<void> {
    const { jti: id, op, org, by } = request;
    const answer = (fields: object): void => void deps.publish(manageAnswerTopic(serial), { id, ...fields });
    let isVerified = false;
    try {
      verify(brokerUrl, text, request);
      isVerified = true;
      const allowed = allowedOperation(request);
      answer({ accepted: true });
      const result: object = await deps.perform[allowed](request.args as never);
      if (JSON.stringify(result).length > maxAnswerBytes - 256) {
        throw new Problem('internal_error', 'The answer is too large.');
      }
      if (operations[allowed].changes) note({ operation: op, by, org });
      answer({ result });
    } catch (error) {
      const problem = error instanceof Problem ? error : new Problem('internal_error', 'See the log of the gateway.');
      if (problem !== error) log.error({ err: error, op }, 'failed to carry out a request of the platform');
      else log.warn({ op, by, org, reason: problem.message }, 'request of the platform refused');
      if (isVerified) note({ operation: op, by, org, message: problem.message });
      const { message, details } = problem;
      answer({
        error: {
          code: codeOf(problem),
          message: message.slice(0, 1000),
          ...(details.errors && { errors: details.errors }),
        },
      });
    }
  }

  function note({
    operation,
    by,
    org,
    message,
  }: {
    operation: string;
    by: string;
    org: string;
    message?: string;
  }): void {
    if (message === undefined) log.info({ op: operation, by, org }, 'request of the platform carried out');
    management.note({ at: clock.now(), operation, by, ...(message !== undefined && { message }) });
  }

  return {
    /** Call this when a platform has named itself: nothing that it asks was issued before. */
    listening(): void {
      listeningSince ??= clock.now();
    },
    receive(brokerUrl: string, payload: Buffer): void {
      if (payload.length > maxRequestBytes || !limiter.take('').allowed) return;
      const text = payload.toString();
      const request = readTyped(requestType, text)?.payload;
      if (!isRequest(request) || pending >= maxPending) {
        log.warn(
          { bytes: payload.length, pending },
          'ignored a request of the platform that is invalid or one too many',
        );
        return;
      }
      pending++;
      void handle(brokerUrl, text, request).finally(() => {
        pending--;
      });
    },
  };
}

const codeOf = ({ code }: Problem): RefusalCode => refusalCodes.find((known) => known === code) ?? 'internal_error';

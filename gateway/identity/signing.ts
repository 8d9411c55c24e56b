import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { claimMinutes, composeClaim, isTimely } from '#contract/claim.ts';
import { fieldProblem, Problem } from '#contract/problem.ts';
import { formatTime, parseTime } from '#contract/time.ts';
import { readJsonOrWarn, writeJson } from '#lib/atomic-file.ts';
import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import { createRateLimiter } from '#lib/rate-limit.ts';
import type { Identity } from './identity.ts';

export type Signed = { at: number; message: string; from: string };

type Asked = { now: number; from: string };

export type Signing = Awaited<ReturnType<typeof openSigning>>;

type SigningDeps = {
  identity: Pick<Identity, 'serial' | 'sign'>;
  dataDir: string;
  /** called when the gateway is about to be claimed */
  onSigned(): void;
  clock: Clock;
  log: Logger;
};

const perMinute = 6;
const maxKept = 100;

/** Signs messages for any caller, a few per minute, and keeps a list of them. */
export async function openSigning({ identity, dataDir, onSigned, clock, log }: SigningDeps) {
  const path = join(dataDir, 'signatures.json');
  const limiter = createRateLimiter({ limit: perMinute, windowMs: 60_000, clock, maxKeys: 2 });
  let signed = (await readJsonOrWarn<Signed[]>(path, 'the list of signatures was damaged and set aside', log)) ?? [];

  async function sign(message: string, { now, from }: Asked): Promise<string> {
    const { allowed, retryAfterSeconds } = limiter.take('');
    if (!allowed) {
      throw new Problem('rate_limited', `At most ${perMinute} signatures a minute.`, { retryAfterSeconds });
    }
    const signature = identity.sign(message);
    log.info({ message, from }, 'message signed');
    onSigned();
    signed = [{ at: now, message, from }, ...signed].slice(0, maxKept);
    try {
      await writeJson(path, signed);
    } catch (error) {
      log.warn({ err: error }, 'the list of signatures could not be kept'); // a full disk must not prevent a claim
    }
    return signature;
  }

  return {
    async signMessage({ message, timestamp }: { message?: string; timestamp?: string }, asked: Asked) {
      const text = composeClaim({
        claimerId: message,
        nonce: randomBytes(6).toString('hex'),
        timestamp: timestampOf(timestamp, asked.now),
        serial: identity.serial,
      });
      return { sign: await sign(text, asked), message: text };
    },

    async signWallet(wallet: string, asked: Asked) {
      const idAndWallet = `${identity.serial}:${wallet}`;
      return { idAndWallet, signature: await sign(idAndWallet, asked) };
    },

    list: (): Signed[] => signed,
  };
}

/** Returns the given timestamp unchanged; refuses one that is not close to now. */
function timestampOf(given: string | undefined, now: number): string {
  if (!given) return formatTime(now);
  const at = parseTime(given);
  if (at === undefined) {
    throw fieldProblem('invalid_request', 'body.timestamp', 'must be RFC 3339, Unix seconds or Unix milliseconds');
  }
  if (!isTimely(at, now)) {
    const message = `must be within ${claimMinutes} minutes of the gateway's clock, ${formatTime(now)}`;
    throw fieldProblem('invalid_request', 'body.timestamp', message);
  }
  return given;
}

import { join } from 'node:path';
import {
  type GatewayPlan,
  maxPlanBytes,
  maxPlanHours,
  type PlanProgress,
  planMessage,
  planType,
  SignedPlan,
} from '#contract/gateway-plan.ts';
import { orProblem, Problem } from '#contract/problem.ts';
import { hourMs, minuteMs } from '#contract/time.ts';
import { readJson, readJsonOrWarn, writeJson } from '#lib/atomic-file.ts';
import type { Clock } from '#lib/clock.ts';
import { fieldErrors, validator } from '#lib/http/validate.ts';
import { readTyped } from '#lib/keys/typed-message.ts';
import type { Logger } from '#lib/log.ts';
import { createRateLimiter } from '#lib/rate-limit.ts';
import type { PlatformKeyStore } from '../manage/platform-keys.ts';

export type HeldPlanDeps = {
  serial: string;
  dataDir: string;
  keys: Pick<PlatformKeyStore, 'of' | 'knows'>;
  /** called when the progress may have changed */
  onChange(): void;
  clock: Clock;
  log: Logger;
};

/** The newest message of a platform, on disk. */
type Kept = Pick<SignedPlan, 'iss' | 'iat' | 'plan'>;

export type HeldPlan = Awaited<ReturnType<typeof openHeldPlan>>;

const perMinute = 30;
const skewMs = 60_000; // between the clocks of platform and gateway
const maxKeys = 50_000; // of a plan of the largest size
const switchedOff = planMessage('switched_off');
const unknownKey = planMessage('unknown_key');

const isSignedPlan = validator(SignedPlan, 'body', 'ignore');

const refuse = (sentence: string): Problem => new Problem('invalid_request', sentence);

/** Receives the plans of the platform, keeps the newest on disk, and the switch with which a person at home refuses them. */
export async function openHeldPlan({ serial, dataDir, keys, onChange, clock, log }: HeldPlanDeps) {
  const planFile = join(dataDir, 'plan.json');
  const switchFile = join(dataDir, 'plan-switch.json');
  const limiter = createRateLimiter({ limit: perMinute, windowMs: minuteMs, clock, maxKeys: 2 });
  let kept = await readJsonOrWarn<Kept>(planFile, 'the plan was damaged and set aside', log);
  const setting = await readJson<{ enabled: boolean }>(switchFile);
  if (setting?.damaged) {
    log.warn({ file: setting.damaged }, 'the setting of plans was damaged and set aside; plans are not followed');
  }
  let enabled = setting?.data?.enabled ?? !setting;
  let refused: Pick<PlanProgress, 'id' | 'message'> | undefined;
  let unverified: { url: string; text: string } | undefined; // until the platform has sent its keys
  let writing = Promise.resolve();

  /** Throws a Problem when the message is not a plan of the platform behind this broker for this gateway. */
  function check(url: string, text: string): SignedPlan {
    const signed = readTyped(planType, text, maxKeys);
    if (!signed) throw refuse('The plan is not a signed message of the right type.');
    if (!isSignedPlan(signed.payload)) throw refuse(`The plan has a wrong shape: ${firstError()}.`);
    const message = signed.payload;
    const platform = keys.of(url);
    const key = platform?.keys.find(({ kid }) => kid === signed.kid);
    if (!platform || !key || !signed.isSignedBy(key.x) || message.iss !== platform.iss) throw refuse(unknownKey);
    if (message.aud !== serial) throw refuse('The plan is for another gateway.');
    if (message.iat * 1000 > clock.now() + skewMs) throw refuse('The plan was made in the future.');
    if (message.plan) checkPlan(message.plan);
    return message;
  }

  function take(url: string, text: string): void {
    let isNew = false;
    try {
      const message = check(url, text);
      isNew = keep(message);
      refused = undefined;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const id = readId(text);
      log.warn({ plan: id, reason: error.message }, 'plan refused');
      refused = { id, message: error.message };
      isNew = true;
    }
    if (isNew) onChange();
  }

  /** Returns whether the message is newer than the last of this platform. A broker repeats the last one at each connection. */
  function keep({ iss, iat, plan }: SignedPlan): boolean {
    const isOld = kept?.iss === iss && (iat < kept.iat || (iat === kept.iat && plan?.id === kept.plan?.id));
    if (isOld) return false;
    kept = { iss, iat, plan };
    log.info(plan ? { plan: plan.id, steps: plan.steps.length } : {}, plan ? 'plan received' : 'plan withdrawn');
    writing = writeJson(planFile, kept).catch((error: unknown) =>
      log.warn({ err: error }, 'failed to store the plan; it is followed until the gateway restarts'),
    );
    return true;
  }

  /** Returns the plan of a platform that this gateway still belongs to. */
  const latest = (): GatewayPlan | undefined => (kept?.plan && keys.knows(kept.iss) ? kept.plan : undefined);

  return {
    receive(url: string, payload: Buffer): void {
      if (payload.length === 0) return; // the last message was removed from the broker
      if (payload.length > maxPlanBytes || !limiter.take('').allowed) {
        log.warn({ bytes: payload.length }, 'ignored a plan that is too large or one too many');
        return;
      }
      const text = payload.toString();
      unverified = keys.of(url) ? undefined : { url, text };
      if (!unverified) take(url, text);
    },

    /** Call this when a platform has sent its keys: it may have sent a plan before. */
    keysLearned(): void {
      const waiting = unverified;
      if (!waiting || !keys.of(waiting.url)) return;
      unverified = undefined;
      take(waiting.url, waiting.text);
    },

    isEnabled: (): boolean => enabled,
    async enable(wanted: boolean): Promise<void> {
      await writeJson(switchFile, { enabled: wanted }).catch(
        orProblem('storage_failed', 'The setting could not be stored.'),
      );
      enabled = wanted;
      log.info({ enabled }, 'setting of plans changed');
      onChange();
    },

    /** Returns the plan to follow. */
    current: (): GatewayPlan | undefined => (enabled ? latest() : undefined),

    /** Returns which plan is refused and why. */
    refusal(): PlanProgress | undefined {
      const plan = latest();
      if (!enabled && plan) return { id: plan.id, state: 'refused', message: switchedOff };
      return refused && { ...refused, state: 'refused' };
    },

    close: () => writing,
  };
}

function firstError(): string {
  const [error] = fieldErrors('plan', isSignedPlan.errors ?? []);
  return error ? `${error.path} ${error.message}` : 'unknown error';
}

/** Throws a Problem when the parts of a plan do not fit together. */
function checkPlan({ made_at, ends_at, steps, storages }: GatewayPlan): void {
  if (ends_at - made_at > maxPlanHours * hourMs) throw refuse(`A plan lasts at most ${maxPlanHours} hours.`);
  for (const [index, { start }] of steps.entries()) {
    const before = steps[index - 1];
    if (before && start < before.start + before.s * 1000)
      throw refuse(`Step ${index} begins before the one before ends.`);
  }
  if (new Set(storages.map(({ id }) => id)).size < storages.length) throw refuse('Two storages have the same id.');
  const wrong = storages.find(({ min_wh, max_wh, capacity_wh }) => min_wh > max_wh || capacity_wh <= 0);
  if (wrong) throw refuse(`The limits of ${wrong.id} contradict each other.`);
}

const maxIdCharacters = 64;

/** Returns the id of a plan that may be invalid in any way. */
function readId(text: string): string {
  const payload: { plan?: { id?: unknown } | null } = Object(readTyped(planType, text, maxKeys)?.payload);
  const id = payload.plan?.id;
  return typeof id === 'string' && id !== '' ? id.slice(0, maxIdCharacters) : 'unknown';
}

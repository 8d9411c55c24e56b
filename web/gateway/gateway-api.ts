import { signal } from '@preact/signals';
import { createClient } from '#contract/client.ts';
import type { Form } from '#contract/gateway/form.ts';
import type { LocalError } from '#contract/problem.ts';
import { clockDifference } from '../parts/clock-difference.ts';
import { browserTime } from '../parts/now.ts';
import { tabStorage } from '../parts/storage.ts';

const tokenName = 'local-token';

/** The local token of the gateway, kept until the tab is closed. */
let localToken = tabStorage.readStored(tokenName);

type TokenRequest = { wasRefused: boolean; answer(token: string | undefined): void };

/** Set while the page asks the person for the token. */
export const tokenRequest = signal<TokenRequest | undefined>(undefined);

let pendingRequest: Promise<boolean> | undefined;

/** Asks the person for the token, once for all waiting requests. Resolves to false when none is given. */
function askForToken(refused: string | undefined): Promise<boolean> {
  if (localToken !== refused) return Promise.resolve(true); // another one was entered meanwhile
  pendingRequest ??= new Promise<boolean>((resolve) => {
    tokenRequest.value = {
      wasRefused: refused !== undefined,
      answer(given) {
        tokenRequest.value = undefined;
        pendingRequest = undefined;
        localToken = given;
        tabStorage.store(tokenName, given);
        resolve(given !== undefined);
      },
    };
  });
  return pendingRequest;
}

// A gateway without internet and without a battery-backed clock has the wrong time, so pages use the browser's.
let aheadMs = 0;

/** Converts a time of the gateway to the clock of the browser. */
export const toBrowserTime = (gatewayMs: number): number => gatewayMs - aheadMs;

/** Returns how far the clock of the gateway is ahead of the browser's. */
export const clockDifferenceMs = (): number => aheadMs;

/** Whether a response asks for the local token: a guarded gateway sends 401, a claimed one 403 with a code. */
async function needsToken(answer: Response): Promise<boolean> {
  if (answer.status !== 403) return answer.status === 401;
  const { error }: Partial<LocalError> = await answer.clone().json();
  return error === 'local_token_required';
}

/** Returns a `fetch` that requests a form of the API and adds the local token. */
const fetchAs =
  (form: Form): typeof fetch =>
  async (input, init) => {
    for (;;) {
      const token = localToken;
      const headers = new Headers(init?.headers);
      headers.set('x-api-form', form);
      if (token) headers.set('authorization', `Bearer ${token}`);
      const answer = await fetch(input, { ...init, headers });
      aheadMs = clockDifference(answer.headers.get('date'), browserTime(), aheadMs);
      if (!(await needsToken(answer)) || !(await askForToken(token))) return answer;
    }
  };

export const gateway = createClient({ baseUrl: '', fetch: fetchAs('later') });

/** For routes whose earlier form contains more. */
export const earlierGateway = createClient({ baseUrl: '', fetch: fetchAs('earlier') });

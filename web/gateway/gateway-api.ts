import { createClient } from '#contract/client.ts';
import type { Form } from '#contract/gateway/form.ts';
import type { LocalError } from '#contract/problem.ts';
import { hearTime } from './gateway-clock.ts';
import { askForToken, localToken } from './local-token.ts';

/** A guarded gateway answers 401; one that is claimed answers 403 where something would take it from its owner. */
async function needsToken(answer: Response): Promise<boolean> {
  if (answer.status !== 403) return answer.status === 401;
  const { error }: Partial<LocalError> = await answer.clone().json();
  return error === 'local_token_required';
}

/** Asks the gateway in a form of its interface, with the local token where there is one. */
const speaking =
  (form: Form): typeof fetch =>
  async (input, init) => {
    for (;;) {
      const token = localToken();
      const headers = new Headers(init?.headers);
      headers.set('x-api-form', form);
      if (token) headers.set('authorization', `Bearer ${token}`);
      const answer = await fetch(input, { ...init, headers });
      hearTime(answer.headers.get('date'));
      if (!(await needsToken(answer)) || !(await askForToken(token))) return answer;
    }
  };

export const gateway = createClient({ baseUrl: '', fetch: speaking('later') });

/** Only for what the earlier form tells more of. */
export const earlierGateway = createClient({ baseUrl: '', fetch: speaking('earlier') });

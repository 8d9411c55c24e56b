import type { Context, default as Provider } from 'oidc-provider';
import { oauthError, Problem } from '#contract/problem.ts';
import type { Logger } from '#lib/log.ts';
import { explain } from '../access/explain.ts';
import type { Store } from '../store/store.ts';
import { renderError } from './error-page.ts';

/** To the OAuth server every fault is one of its own; here it is told from a database that is away. */
export function answerFaults(provider: Provider, { store, log }: { store: Store; log: Logger }): void {
  const problems = new WeakMap<Context, Problem>();

  provider.on('server_error', (context, error) => {
    const told = explain(error, store);
    if (told instanceof Problem) problems.set(context, told);
    log[told instanceof Problem ? 'warn' : 'error']({ err: error }, 'an OAuth request failed');
  });
  provider.on('error', (error) => log.error({ err: error }, 'an OAuth request failed'));

  provider.use(async (context, next) => {
    await next();
    const problem = problems.get(context);
    if (!problem) return;
    context.status = problem.status;
    context.set({ 'retry-after': String(problem.details.retryAfterSeconds) });
    renderError(context, oauthError(problem));
  });
}

import type { Context, default as Provider } from 'oidc-provider';
import { oauthError, Problem } from '#contract/problem.ts';
import type { Logger } from '#lib/log.ts';
import { explain } from '../access/explain.ts';
import type { Store } from '../store/store.ts';

const policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const ofTheApplication = `The application that sent you here asked in a way that is not safe to answer. Go back to it and
try again; when that does not help, tell its operator:`;
const ofUs = 'Go back to the application that sent you here and try again in a moment:';

/** What a browser sees when it cannot be sent back to the application, because that is what is wrong. */
export function renderError(context: Context, out: { error: string; error_description?: string }): void {
  const isForBrowser = context.path.startsWith('/oauth/authorize'); // the others are asked by programs, whatever they accept
  if (!isForBrowser || context.accepts('json', 'html') !== 'html') {
    context.body = { error_description: 'This request cannot be answered.', ...out };
    return;
  }
  context.set({ 'content-security-policy': policy, 'referrer-policy': 'no-referrer', 'cache-control': 'no-store' });
  context.type = 'html';
  context.body = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>This request cannot be answered</title>
<h1>This request cannot be answered</h1>
<p>${out.error === 'temporarily_unavailable' ? ofUs : ofTheApplication}</p>
<p><code>${escaped(out.error)}</code> ${escaped(out.error_description ?? '')}</p>
</html>
`;
}

const escaped = (text: string): string => text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);

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

import type { Context, default as Provider } from 'oidc-provider';
import { oauthError, Problem } from '#contract/problem.ts';
import { explain } from '../access/explain.ts';
import type { CommonDeps } from '../store/store.ts';

const policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const clientFault = `The application sent an authorization request that cannot be answered safely. Go back to it and try again.
If that does not help, report this to its operator:`;
const serverFault = 'Go back to the application that sent you here and try again in a moment:';

/** Renders an error page for a browser that cannot be redirected back to the application. */
export function renderError(context: Context, out: { error: string; error_description?: string }): void {
  const isForBrowser = context.path.startsWith('/oauth/authorize'); // only programs call the others
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
<p>${out.error === 'temporarily_unavailable' ? serverFault : clientFault}</p>
<p><code>${escaped(out.error)}</code> ${escaped(out.error_description ?? '')}</p>
</html>
`;
}

const escaped = (text: string): string => text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Answers 503 instead of 500 when the database is temporarily unavailable. */
export function answerFaults(provider: Provider, { store, log }: Pick<CommonDeps, 'store' | 'log'>): void {
  const problems = new WeakMap<Context, Problem>();

  provider.on('server_error', (context, error) => {
    const explained = explain(error, store);
    if (explained instanceof Problem) problems.set(context, explained);
    log[explained instanceof Problem ? 'warn' : 'error']({ err: error }, 'OAuth request failed');
  });
  provider.on('error', (error) => log.error({ err: error }, 'OAuth request failed'));

  provider.use(async (context, next) => {
    await next();
    const problem = problems.get(context);
    if (!problem) return;
    context.status = problem.status;
    context.set({ 'retry-after': String(problem.details.retryAfterSeconds) });
    renderError(context, oauthError(problem));
  });
}

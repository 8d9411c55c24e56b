import type { Context } from 'oidc-provider';

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

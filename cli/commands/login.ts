import { rm } from 'node:fs/promises';
import { connect } from '#contract/client/connect.ts';
import { createClient } from '#contract/client.ts';
import { getMe, revokeToken } from '#contract/cloud/identity.ts';
import { Problem } from '#contract/problem.ts';
import type { Shell } from '../line/command.ts';
import { report } from '../line/report.ts';
import { openKey, ownKeyFile } from '../sign-in/own-key.ts';
import { signedIn } from '../sign-in/session.ts';
import {
  cloudUrl,
  createPlatformFetch,
  normalizePlatformUrl,
  readSignIns,
  type SignIn,
  updateSignIns,
} from '../sign-in/sign-ins.ts';
import { columns, requireConfirmation, yesOption } from '../terminal/output.ts';

const login = report('login', {
  summary: 'Sign in to a platform with your key; creates a key the first time',
  arguments: [
    { name: 'url', optional: true, help: 'address of the platform. Default: the last one, or http://localhost:8080' },
  ],
  options: {
    key: { value: 'FILE', help: 'use this private key (Ed25519, PKCS 8, PEM) instead of your own' },
    name: { value: 'NAME', help: 'your display name, if the key is new to the platform' },
  },
  examples: ['login', 'login https://energy.example.org --name "Ada"', 'login --key data/demo/identity.pem'],
  async run({ arguments: given, options }, shell) {
    const url = given.url === undefined ? await cloudUrl(shell) : normalizePlatformUrl(given.url);
    const { key, path: key_file, isNew } = await openKey(options.key, shell);
    let issued: Pick<SignIn, 'token' | 'expires_at'> | undefined;
    const api = await connect(url, {
      key,
      ...(options.name !== undefined && { name: options.name }),
      fetch: createPlatformFetch(url),
      retries: 0, // report a wrong address at once
      onToken(token, expires_at) {
        issued = { token, expires_at };
      },
    }).catch((cause: unknown) => {
      const isGateway =
        cause instanceof Problem && cause.code === 'not_found' && cause.message.endsWith(' does not exist.');
      if (!isGateway) throw cause;
      const sentence = `The server at ${url} is not a platform; it may be a gateway. To use another: ohmstead login <url>`;
      throw new Problem('not_found', sentence, {}, { cause });
    });
    const { identity_id, name } = await api.call(getMe);
    if (!issued) throw new Error('The platform returned no token.');
    await saveSignIn(shell, url, { identity_id, key_file, ...issued });
    const { OHMSTEAD_URL } = shell.env;
    const isOther = OHMSTEAD_URL && normalizePlatformUrl(OHMSTEAD_URL) !== url;
    const sentences = [
      `Signed in to ${url} as ${name === null ? identity_id : `${name} (${identity_id})`}.`,
      ...(isNew
        ? [`Your new private key is in ${key_file}. It is your only way to sign in: keep it secret and keep a copy.`]
        : []),
      ...(isOther ? [`OHMSTEAD_URL is set, so commands still use ${OHMSTEAD_URL}.`] : []),
    ];
    return { result: { url, identity_id, name, key_file, is_new_key: isNew }, text: sentences };
  },
});

const saveSignIn = (shell: Shell, url: string, signIn: SignIn): Promise<void> =>
  updateSignIns(shell, (signIns) => {
    signIns.current = url;
    signIns.platforms[url] = signIn;
  });

const logout = report('logout', {
  summary: 'Sign out and revoke your token; your key is kept',
  options: {
    'forget-key': { help: 'also delete your key; you cannot sign in with it again' },
    yes: yesOption,
  },
  examples: ['logout', 'logout --forget-key'],
  async run({ options }, shell) {
    const url = await cloudUrl(shell);
    const { platforms } = await readSignIns(shell);
    const signIn = platforms[url];
    if (!signIn) throw new Problem('unauthenticated', `You are not signed in to ${url}.`);
    const { key_file, identity_id } = signIn;
    const forgetsKey = options['forget-key'];
    if (forgetsKey && key_file !== ownKeyFile(shell)) {
      throw new Problem('conflict', `The key in ${key_file} was not created by ohmstead login; delete it yourself.`);
    }
    const left = Object.entries(platforms).filter(
      ([at, other]) => at === url || (forgetsKey && other.key_file === key_file),
    );
    if (forgetsKey) {
      const places = left.map(([at]) => at).join(', ');
      const question = `This deletes the key in ${key_file}. Without a copy, you can never again sign in as ${identity_id} at ${places}.`;
      await requireConfirmation(options.yes, question, shell);
    }

    const revoked = await Promise.all(left.map(([at, signIn]) => revoke(at, signIn, shell)));
    await updateSignIns(shell, (signIns) => {
      for (const [at] of left) delete signIns.platforms[at];
      if (signIns.current === url) delete signIns.current;
    });
    if (forgetsKey) await rm(key_file);
    const sentence = `Signed out of ${url}; ${forgetsKey ? 'your key is deleted' : `your key stays in ${key_file}`}.`;
    const result = { url, token_revoked: revoked.every(Boolean), key_deleted: forgetsKey };
    return { result, text: sentence };
  },
});

/** Revokes a token. Returns false if the platform cannot be reached; the token then stays valid until it expires. */
async function revoke(url: string, { token, expires_at }: SignIn, { stderr }: Shell): Promise<boolean> {
  try {
    await createClient({ baseUrl: url, token }).call(revokeToken);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === 'unauthenticated') return true; // it has already expired
    stderr.write(`Cannot reach ${url}; the token was deleted here but stays valid until ${expires_at}.\n`);
    return false;
  }
  return true;
}

const whoami = signedIn('whoami', {
  summary: 'Show who is signed in, where, and with which key',
  examples: ['whoami', 'whoami --json'],
  async run({ api }, shell) {
    const { identity_id, name, type, public_key } = await api.call(getMe);
    const { key_file, expires_at } = (await readSignIns(shell)).platforms[api.url]!;
    const rows = [
      ['identity id', identity_id],
      ['name', name ?? '-'],
      ['type', type],
      ['platform', api.url],
      ['public key', public_key],
      ['key file', key_file],
      ['token until', `${expires_at}, renewed when needed`],
    ];
    const result = { identity_id, name, type, url: api.url, public_key, key_file, expires_at };
    return { result, text: columns(rows) };
  },
});

export const commands = [login, logout, whoami];

import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { connect } from '#contract/client/connect.ts';
import { createClient } from '#contract/client.ts';
import { getMe, revokeToken } from '#contract/cloud/identity.ts';
import { Problem } from '#contract/problem.ts';
import { command, type Shell } from '../line/command.ts';
import { ownKeyFile, readKey, readOrMakeKey } from '../sign-in/key-of-person.ts';
import { cloudUrl, fetchFromPlatform, platformUrl } from '../sign-in/platform-address.ts';
import { signedIn } from '../sign-in/session.ts';
import { changeSignIns, readSignIns, type SignIn } from '../sign-in/sign-ins.ts';
import { agree, yesOption } from '../terminal/confirm.ts';
import { columns, jsonOption, printResult } from '../terminal/output.ts';

export const login = command({
  name: 'login',
  summary: 'Sign in to a platform with your key, which is made at the first time',
  arguments: [
    { name: 'url', optional: true, says: 'address of the platform. Default the last one, or http://localhost:8080' },
  ],
  options: {
    key: { value: 'FILE', says: 'use this private key (Ed25519, PKCS 8, PEM) instead of your own' },
    name: { value: 'NAME', says: 'what others see you as, when the platform does not know the key yet' },
    json: jsonOption,
  },
  examples: ['login', 'login https://energy.example.org --name "Ada"', 'login --key data/demo/identity.pem'],
  async run({ arguments: given, options }, shell) {
    const url = given.url === undefined ? await cloudUrl(shell) : platformUrl(given.url);
    const key_file = options.key === undefined ? ownKeyFile(shell) : resolve(options.key);
    const { key, isNew } =
      options.key === undefined
        ? await readOrMakeKey(key_file, shell)
        : { key: await readKey(key_file, shell), isNew: false };
    let issued: Pick<SignIn, 'token' | 'expires_at'> | undefined;
    const api = await connect(url, {
      key,
      ...(options.name !== undefined && { name: options.name }),
      fetch: fetchFromPlatform(url),
      retries: 0, // somebody waits to see whether the address is right
      onToken(token, expires_at) {
        issued = { token, expires_at };
      },
    });
    const { identity_id, name } = await api.call(getMe);
    if (!issued) throw new Error('The platform let us in without a token.');
    await keep(shell, url, { identity_id, key_file, ...issued });
    const { OHMSTEAD_URL } = shell.env;
    const isOther = OHMSTEAD_URL && platformUrl(OHMSTEAD_URL) !== url;
    const sentences = [
      `Signed in to ${url} as ${name === null ? identity_id : `${name} (${identity_id})`}.`,
      ...(isNew
        ? [`Your new key is in ${key_file}: whoever has it is you, and without it nobody is. Keep a copy.`]
        : []),
      ...(isOther ? [`OHMSTEAD_URL is set, so that commands still use ${OHMSTEAD_URL}.`] : []),
    ];
    printResult(shell, options.json, { url, identity_id, name, key_file, is_new_key: isNew }, sentences.join('\n'));
  },
});

const keep = (shell: Shell, url: string, signIn: SignIn): Promise<void> =>
  changeSignIns(shell, (signIns) => {
    signIns.current = url;
    signIns.platforms[url] = signIn;
  });

export const logout = command({
  name: 'logout',
  summary: 'End your token and forget it; your key stays',
  options: {
    'forget-key': { says: 'delete your key as well: nobody can sign in with it again' },
    yes: yesOption,
    json: jsonOption,
  },
  examples: ['logout', 'logout --forget-key'],
  async run({ options }, shell) {
    const url = await cloudUrl(shell);
    const { platforms } = await readSignIns(shell);
    const kept = platforms[url];
    if (!kept) throw new Problem('unauthenticated', `You are not signed in to ${url}.`);
    const { key_file, identity_id } = kept;
    const forgetsKey = options['forget-key'];
    if (forgetsKey && key_file !== ownKeyFile(shell)) {
      throw new Problem('conflict', `The key in ${key_file} was not made by ohmstead login; delete it yourself.`);
    }
    const left = Object.entries(platforms).filter(
      ([at, other]) => at === url || (forgetsKey && other.key_file === key_file),
    );
    if (forgetsKey) {
      const places = left.map(([at]) => at).join(', ');
      const question = `This deletes the key in ${key_file}: without a copy, nobody will ever be ${identity_id} again, or sign in with it at ${places}.`;
      await agree(options.yes, question, shell, logout.name);
    }

    const revoked = await Promise.all(left.map(([at, signIn]) => revoke(at, signIn, shell)));
    await changeSignIns(shell, (signIns) => {
      for (const [at] of left) delete signIns.platforms[at];
      if (signIns.current === url) delete signIns.current;
    });
    if (forgetsKey) await rm(key_file);
    const sentence = `Signed out of ${url}; ${forgetsKey ? 'your key is deleted' : `your key stays in ${key_file}`}.`;
    const result = { url, token_revoked: revoked.every(Boolean), key_deleted: forgetsKey };
    printResult(shell, options.json, result, sentence);
  },
});

/** False when the platform cannot be told, so that the token stays valid for a while. */
async function revoke(url: string, { token, expires_at }: SignIn, { stderr }: Shell): Promise<boolean> {
  try {
    await createClient({ baseUrl: url, token }).call(revokeToken);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === 'unauthenticated') return true; // it is over already
    stderr.write(`${url} does not answer: the token that is forgotten here is valid until ${expires_at}.\n`);
    return false;
  }
  return true;
}

export const whoami = command({
  name: 'whoami',
  summary: 'Tell who is signed in, where, and with which key',
  options: { json: jsonOption },
  examples: ['whoami', 'whoami --json'],
  async run({ options }, shell) {
    const api = await signedIn(shell);
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
    printResult(shell, options.json, result, columns(rows));
  },
});

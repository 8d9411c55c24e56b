import { generateKeyPairSync } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { pino } from 'pino';
import { type Bug, bugsIn } from '../bug.ts';

/** Keys, signatures, files, logs and HTTP. */
export const foundationBugs: readonly Bug[] = [
  ...bugsIn<typeof import('#lib/keys/signature.ts')>('lib/keys/signature.ts')(
    {
      id: 'every signature is valid',
      proves: ['A02', 'A08', 'S9'],
      replace: { verifySignature: () => () => true },
      noticedBy: 'lib/keys/signature.test.ts',
    },
    {
      id: 'a claim needs no valid signature',
      proves: ['A12', 'A14'],
      replace: { verifySignature: () => () => true },
      noticedBy: 'test/attacks/claim-fields.test.ts',
    },
  ),
  ...bugsIn<typeof import('#lib/keys/public-key.ts')>('lib/keys/public-key.ts')({
    id: 'an invalid public key is accepted',
    proves: ['A03', 'A04'],
    replace: {
      parsePublicKey: (real) => (text) => {
        try {
          return real.parsePublicKey(text);
        } catch {
          const { publicKey } = generateKeyPairSync('ed25519');
          return real.parsePublicKey(
            publicKey.export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64'),
          );
        }
      },
    },
    noticedBy: 'lib/keys/public-key.test.ts',
  }),
  ...bugsIn<typeof import('#lib/json.ts')>('lib/json.ts')({
    id: 'JSON is parsed without limits',
    proves: ['A18', 'A40', 'A47', 'A51'],
    replace: { parseJson: () => (bytes) => JSON.parse(Buffer.from(bytes).toString()) },
    noticedBy: 'lib/json.test.ts',
  }),
  ...bugsIn<typeof import('#lib/atomic-file.ts')>('lib/atomic-file.ts')(
    {
      id: 'files are written in place, readable for everybody and not synced',
      proves: ['A53', 'A56', 'F10', 'S3'],
      replace: { writeAtomic: () => (path, text) => writeFile(path, text) },
      noticedBy: 'lib/atomic-file.test.ts',
    },
    {
      id: 'the checksum of a file is not compared',
      proves: ['F11', 'S4'],
      replace: {
        readJson: () => async (path: string) => {
          const text = await readFile(path, 'utf8').catch(() => undefined);
          return text === undefined ? undefined : { data: JSON.parse(text).data };
        },
      },
      noticedBy: 'lib/atomic-file.test.ts',
    },
  ),
  ...bugsIn<typeof import('#lib/folder-lock.ts')>('lib/folder-lock.ts')({
    id: 'two processes share a data folder',
    proves: ['F06'],
    replace: { lockFolder: () => () => ({ release() {}, [Symbol.dispose]() {} }) },
    noticedBy: 'lib/folder-lock.test.ts',
  }),
  ...bugsIn<typeof import('#lib/log.ts')>('lib/log.ts')({
    id: 'secrets are logged',
    proves: ['A23', 'A55', 'S12'],
    replace: {
      createLog:
        (real) =>
        ({ level, name, destination }) =>
          pino({ level, name }, destination ?? real.standardOutput()),
    },
    noticedBy: 'lib/log.test.ts',
  }),
  ...bugsIn<typeof import('#lib/rate-limit.ts')>('lib/rate-limit.ts')({
    id: 'budgets are counted and not enforced',
    proves: ['A09', 'A64'],
    replace: {
      createBudget: (real) => (name, limit, clock) => {
        const spend = real.createBudget(name, limit, clock);
        return (key, reply) => {
          try {
            spend(key, reply);
          } catch {}
        };
      },
    },
    noticedBy: 'cloud/access/door.test.ts',
  }),
  ...bugsIn<typeof import('#lib/retry.ts')>('lib/retry.ts')({
    id: 'all clients reconnect at the same moment',
    proves: ['F18', 'S23'],
    replace: {
      retry: (real) => (fn, options) => real.retry(fn, { ...options, minDelayMs: 0, maxDelayMs: 0 }),
    },
    noticedBy: 'lib/retry.test.ts',
  }),
  ...bugsIn<typeof import('#lib/secret.ts')>('lib/secret.ts')(
    {
      id: 'every internal token is right',
      proves: ['A27', 'A39'],
      replace: { sameSecret: () => () => true },
      noticedBy: 'cloud/broker/callouts.test.ts',
    },
    {
      id: 'every local token is right',
      proves: ['A10', 'A61'],
      replace: { sameSecret: () => () => true },
      noticedBy: 'gateway/access/door.test.ts',
    },
    {
      id: 'every client secret is right',
      proves: ['A69', 'S14'],
      replace: { sameSecret: () => () => true },
      noticedBy: 'test/oauth/attacks.test.ts',
    },
  ),
  ...bugsIn<typeof import('#lib/http/sse.ts')>('lib/http/sse.ts')({
    id: 'a stream buffers without limit for a reader that does not read',
    proves: ['A49', 'F28', 'S21'],
    replace: {
      openEventStream: (real) => (response, headers) => ({
        ...real.openEventStream(response, headers),
        send: (events) => void response.write(typeof events === 'string' ? events : events.text),
      }),
    },
    noticedBy: 'lib/http/sse.test.ts',
  }),
  ...bugsIn<typeof import('#lib/http/validate.ts')>('lib/http/validate.ts')({
    id: 'bodies may have unknown fields',
    proves: ['A31'],
    replace: { validator: (real) => (schema, part) => real.validator(schema, part, 'ignore') },
    noticedBy: 'test/attacks/bad-input.test.ts',
  }),
  ...bugsIn<typeof import('#lib/http/server.ts')>('lib/http/server.ts')({
    id: 'slow senders are waited for without limit',
    proves: ['A48', 'S28'],
    replace: {
      createServer: (real) => (options) => {
        const app = real.createServer(options);
        Object.assign(app.server, { headersTimeout: 0, requestTimeout: 0, timeout: 0 });
        return app;
      },
    },
    noticedBy: 'test/attacks/edges/slow-senders.test.ts',
  }),
  ...bugsIn<typeof import('#lib/http/cross-origin.ts')>('lib/http/cross-origin.ts')({
    id: 'pages of any origin may call',
    proves: ['A58'],
    replace: { allowOrigins: (real) => (app) => real.allowOrigins(app, ['*']) },
    noticedBy: 'cloud/access/cross-origin.test.ts',
  }),
];

import { isForTests } from '../source-files.ts';
import { importRule, type Rule } from './rule.ts';

// Inside a service: config, store, links, profiles ← feature folders ← app ← main.
type Layer = 'ground' | 'feature' | 'top' | undefined;

const servicePath = /^(cloud|gateway|price|sim)\/(.+)$/;
const groundFolders = ['store', 'links', 'profiles'];

function layerOf(path = ''): Layer {
  const inside = servicePath.exec(path)?.[2];
  if (!inside || isForTests(path)) return undefined;
  if (inside === 'app.ts' || inside === 'main.ts') return 'top';
  const [folder, file] = inside.split('/');
  if (inside === 'config.ts' || groundFolders.includes(folder!)) return 'ground';
  return file ? 'feature' : undefined;
}

const databases = ['kysely', 'pg', 'node:sqlite'];
const mayUseDatabases = /(^|\/)store\/|^lib\/folder-lock\.ts$|^(test|bench)\//;

const inputAndOutput =
  /^(node:(child_process|cluster|dgram|dns|fs|http|https|http2|inspector|net|readline|sqlite|tls|worker_threads)|pg|kysely|fastify|mqtt|modbus-serial|serialport|undici)(\/|$)/;

export const layerRules: Rule[] = [
  importRule(
    'config, store, links and profiles do not import feature folders',
    ({ from, target }) => layerOf(from) === 'ground' && ['feature', 'top'].includes(layerOf(target) ?? ''),
    [
      { path: 'cloud/config.ts', text: `import { claim } from './gateways/claim.ts';` },
      { path: 'cloud/store/wrong.ts', text: `import { claim } from '../gateways/claim.ts';` },
      { path: 'gateway/links/wrong.ts', text: `import { device } from '#gateway/devices/device.ts';` },
      { path: 'gateway/profiles/wrong.ts', text: `import { app } from '../app.ts';` },
    ],
  ),
  importRule(
    'feature folders import neither app.ts nor main.ts',
    ({ from, target }) => layerOf(from) === 'feature' && layerOf(target) === 'top',
    [
      { path: 'cloud/sites/wrong.ts', text: `import type { App } from '../app.ts';` },
      { path: 'price/total/wrong.ts', text: `import { start } from '#price/main.ts';` },
    ],
  ),
  importRule(
    'profiles do no input or output',
    ({ from, specifier }) => from.includes('/profiles/') && !isForTests(from) && inputAndOutput.test(specifier),
    [
      { path: 'gateway/profiles/wrong.ts', text: `import { connect } from 'node:net';` },
      { path: 'gateway/profiles/also-wrong.ts', text: `import { readFile } from 'node:fs/promises';` },
    ],
  ),
  importRule(
    'the planner does no input or output, except for the thread of its solver',
    ({ from, specifier }) =>
      from.startsWith('plan/') &&
      !isForTests(from) &&
      specifier !== 'node:worker_threads' &&
      inputAndOutput.test(specifier),
    [{ path: 'plan/wrong.ts', text: `import { readFile } from 'node:fs/promises';` }],
  ),
  importRule(
    'SQL lives in store/',
    ({ from, specifier }) =>
      databases.includes(specifier.replace(/^(kysely|pg)\/.*/, '$1')) && !mayUseDatabases.test(from),
    [
      { path: 'cloud/sites/wrong.ts', text: `import { sql } from 'kysely';` },
      { path: 'lib/wrong.ts', text: `import { DatabaseSync } from 'node:sqlite';` },
      { path: 'gateway/uplink/wrong.ts', text: `import pg from 'pg';` },
    ],
  ),
];

import type { Bug } from '../bug.ts';

const packagesTest = 'test/attacks/edges/supply-chain.test.ts';

/** What the product is made of, and how it comes to a machine. */
export const packageBugs: readonly Bug[] = [
  {
    id: 'a package is whatever version there is',
    proves: ['A71'],
    file: 'package.json',
    from: '"fastify": "',
    to: '"fastify": "^',
    noticedBy: packagesTest,
  },
  {
    id: 'a package that was not looked at runs a script',
    proves: ['A71'],
    file: 'package.json',
    from: '"allowScripts": {',
    to: '"allowScripts": {\n    "fastify": true,',
    noticedBy: packagesTest,
  },
  {
    id: 'a part is not in the list of parts',
    proves: ['A72'],
    file: 'package-lock.json',
    from: '"node_modules/fastify": {',
    to: '"node_modules/fastest": {',
    noticedBy: packagesTest,
  },
  {
    id: 'a gateway brings itself up to date',
    proves: ['A73'],
    file: 'gateway/network/bluetooth.ts',
    from: "run('bluetoothctl', ['power', 'off'])",
    to: "run('apt-get', ['--yes', 'upgrade'])",
    noticedBy: packagesTest,
  },
];

import { clientOf } from '#cloud/oauth/clients.ts';
import { registerOperatorClient, removeOperatorClient } from '#cloud/operator/oauth-clients.ts';
import { listAllClients } from '#cloud/store/oauth.ts';
import { command } from '../line/command.ts';
import { onPlatform, platformConfig, platformOptions } from '../server/on-platform.ts';
import { columns, jsonOption, printList, printResult } from '../terminal/output.ts';

const register = command({
  name: 'admin oauth register',
  summary: 'Register an application that signs people in',
  arguments: [{ name: 'name', says: 'what people will see' }],
  options: {
    redirect: { value: 'URIS', required: true, says: 'where answers go, comma separated' },
    public: { says: 'it cannot keep a secret: a page in the browser, a program on a desk' },
    ...platformOptions,
    json: jsonOption,
  },
  examples: [
    'admin oauth register Grafana --redirect https://grafana.example.org/login/generic_oauth',
    'admin oauth register "Desk tool" --public --redirect http://127.0.0.1/callback',
  ],
  async run({ arguments: { name }, options }, shell) {
    const config = await platformConfig(shell, options);
    const wanted = { name, redirectUris: options.redirect.split(','), confidential: !options.public };
    const { client, secret } = await onPlatform({ config, shell, mayCreate: true }, (deps) =>
      registerOperatorClient(wanted, deps),
    );
    const facts = [
      ['client id', client.id],
      ...(secret === undefined ? [] : [['client secret', `${secret} (shown this once)`]]),
    ];
    const result = { ...clientOf(client), ...(secret !== undefined && { client_secret: secret }) };
    printResult(shell, options.json, result, columns(facts));
  },
});

const list = command({
  name: 'admin oauth list',
  summary: 'List the applications, whoever registered them',
  options: { ...platformOptions, json: jsonOption },
  examples: ['admin oauth list', 'admin oauth list --json'],
  async run({ options }, shell) {
    const config = await platformConfig(shell, options);
    const rows = await onPlatform({ config, shell }, ({ store }) => listAllClients(store.db));
    const items = rows.map((row) => ({ ...clientOf(row), org_id: row.org_id }));
    printList(shell, options.json, items, ['client_id', 'name', 'org_id', 'confidential', 'created_at']);
  },
});

const remove = command({
  name: 'admin oauth remove',
  summary: 'Remove an application; its tokens and streams end',
  arguments: [{ name: 'client id', says: 'as admin oauth list shows it' }],
  options: { ...platformOptions, json: jsonOption },
  examples: ['admin oauth remove cli-0198f0a2-7c3e-7d10-9a52-5d1f0b6c2e11'],
  async run({ arguments: { 'client id': id }, options }, shell) {
    const config = await platformConfig(shell, options);
    await onPlatform({ config, shell }, (deps) => removeOperatorClient(id, deps));
    printResult(shell, options.json, { client_id: id }, `${id} is removed; its tokens end within a second.`);
  },
});

export const oauthCommands = [register, list, remove];

import { clientOf } from '#cloud/oauth/clients.ts';
import { registerOperatorClient, removeOperatorClient } from '#cloud/operator/oauth-clients.ts';
import { listAllClients } from '#cloud/store/oauth.ts';
import { command } from '../line/command.ts';
import { platformConfig, platformOptions, withPlatformStore } from '../server/platform-store.ts';
import { columns, jsonOption, printList, printResult } from '../terminal/output.ts';

const register = command({
  name: 'admin oauth register',
  summary: 'Register an application that signs people in',
  arguments: [{ name: 'name', help: 'name that users see' }],
  options: {
    redirect: { value: 'URIS', required: true, help: 'redirect URIs, comma separated' },
    public: { help: 'public client that cannot keep a secret: a web page, a desktop program' },
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
    const { client, secret } = await withPlatformStore({ config, shell, mayCreate: true }, (deps) =>
      registerOperatorClient(wanted, deps),
    );
    const facts = [
      ['client id', client.id],
      ...(secret === undefined ? [] : [['client secret', `${secret} (shown only once)`]]),
    ];
    const result = { ...clientOf(client), ...(secret !== undefined && { client_secret: secret }) };
    printResult(shell, options.json, result, columns(facts));
  },
});

const list = command({
  name: 'admin oauth list',
  summary: 'List all registered applications',
  options: { ...platformOptions, json: jsonOption },
  examples: ['admin oauth list', 'admin oauth list --json'],
  async run({ options }, shell) {
    const config = await platformConfig(shell, options);
    const rows = await withPlatformStore({ config, shell }, ({ store }) => listAllClients(store.db));
    const items = rows.map((row) => ({ ...clientOf(row), org_id: row.org_id }));
    printList(shell, options.json, items, ['client_id', 'name', 'org_id', 'confidential', 'created_at']);
  },
});

const remove = command({
  name: 'admin oauth remove',
  summary: 'Remove an application and revoke its tokens',
  arguments: [{ name: 'client id', help: 'see ohmstead admin oauth list' }],
  options: { ...platformOptions, json: jsonOption },
  examples: ['admin oauth remove cli-0198f0a2-7c3e-7d10-9a52-5d1f0b6c2e11'],
  async run({ arguments: { 'client id': id }, options }, shell) {
    const config = await platformConfig(shell, options);
    await withPlatformStore({ config, shell }, (deps) => removeOperatorClient(id, deps));
    printResult(shell, options.json, { client_id: id }, `${id} is removed; its tokens stop working within a second.`);
  },
});

export const oauthCommands = [register, list, remove];

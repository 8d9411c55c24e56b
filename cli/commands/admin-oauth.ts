import { clientOf } from '#cloud/oauth/clients.ts';
import { registerOperatorClient, removeOperatorClient } from '#cloud/operator/oauth-clients.ts';
import { listAllClients } from '#cloud/store/oauth.ts';
import { onPlatform } from '../server/platform-store.ts';
import { columns } from '../terminal/output.ts';

const register = onPlatform('admin oauth register', {
  summary: 'Register an application that signs people in',
  arguments: [{ name: 'name', help: 'name that users see' }],
  options: {
    redirect: { value: 'URIS', required: true, help: 'redirect URIs, comma separated' },
    public: { help: 'public client that cannot keep a secret: a web page, a desktop program' },
  },
  examples: [
    'admin oauth register Grafana --redirect https://grafana.example.org/login/generic_oauth',
    'admin oauth register "Desk tool" --public --redirect http://127.0.0.1/callback',
  ],
  async run({ withStore, arguments: { name }, options }) {
    const wanted = { name, redirectUris: options.redirect.split(','), confidential: !options.public };
    const { client, secret } = await withStore((deps) => registerOperatorClient(wanted, deps), { mayCreate: true });
    const facts = [
      ['client id', client.id],
      ...(secret === undefined ? [] : [['client secret', `${secret} (shown only once)`]]),
    ];
    const result = { ...clientOf(client), ...(secret !== undefined && { client_secret: secret }) };
    return { result, text: columns(facts) };
  },
});

const list = onPlatform('admin oauth list', {
  summary: 'List all registered applications',
  examples: ['admin oauth list', 'admin oauth list --json'],
  async run({ withStore }) {
    const rows = await withStore(({ store }) => listAllClients(store.db));
    const items = rows.map((row) => ({ ...clientOf(row), org_id: row.org_id }));
    return { items, fields: ['client_id', 'name', 'org_id', 'confidential', 'created_at'] };
  },
});

const remove = onPlatform('admin oauth remove', {
  summary: 'Remove an application and revoke its tokens',
  arguments: [{ name: 'client id', help: 'see ohmstead admin oauth list' }],
  examples: ['admin oauth remove cli-0198f0a2-7c3e-7d10-9a52-5d1f0b6c2e11'],
  async run({ withStore, arguments: { 'client id': id } }) {
    await withStore((deps) => removeOperatorClient(id, deps));
    return { result: { client_id: id }, text: `${id} is removed; its tokens stop working within a second.` };
  },
});

export const oauthCommands = [register, list, remove];

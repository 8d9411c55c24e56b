import { allowGateway, forgetGateway } from '#cloud/operator/gateways.ts';
import { listKnownGateways } from '#cloud/store/gateways.ts';
import type { GatewayRow } from '#cloud/store/schema.ts';
import { formatTime } from '#contract/time.ts';
import { parsePublicKey } from '#lib/keys/public-key.ts';
import { command } from '../line/command.ts';
import { platformConfig, platformOptions, withPlatformStore } from '../server/platform-store.ts';
import { jsonOption, printList, printResult } from '../terminal/output.ts';

const shown = ({ serial, org_id, public_key, listed, claimed_at, online, last_seen }: GatewayRow) => ({
  gateway_serial: serial,
  org_id,
  public_key,
  listed: listed === 1,
  claimed_at: claimed_at === null ? null : formatTime(claimed_at),
  online: online === 1,
  last_seen: last_seen === null ? null : formatTime(last_seen),
});

const allow = command({
  name: 'admin gateway allow',
  summary: 'Bind a gateway serial to its public key before it is claimed',
  arguments: [
    { name: 'serial', help: 'serial of the gateway' },
    { name: 'public key', help: 'P-256 public key: base64, base64url, hex or PEM' },
  ],
  options: { ...platformOptions, json: jsonOption },
  examples: ['admin gateway allow garage-7 BFtY...='],
  async run({ arguments: { serial, 'public key': text }, options }, shell) {
    const config = await platformConfig(shell, options);
    const selfProvingPrefixes = config.SELF_PROVING_PREFIXES.split(',').filter(Boolean);
    const listing = { serial, key: parsePublicKey(text), selfProvingPrefixes };
    const gateway = await withPlatformStore({ config, shell, mayCreate: true }, (deps) => allowGateway(listing, deps));
    printResult(shell, options.json, shown(gateway), `${serial} can be claimed only with this key.`);
  },
});

const list = command({
  name: 'admin gateway list',
  summary: 'List all gateways, claimed or not',
  options: { ...platformOptions, json: jsonOption },
  examples: ['admin gateway list', 'admin gateway list --json'],
  async run({ options }, shell) {
    const config = await platformConfig(shell, options);
    const rows = await withPlatformStore({ config, shell }, ({ store }) => listKnownGateways(store.db));
    const items = rows.map((row) => ({ ...shown(row), device_count: row.device_count }));
    printList(shell, options.json, items, [
      'gateway_serial',
      'org_id',
      'listed',
      'claimed_at',
      'online',
      'device_count',
    ]);
  },
});

const forget = command({
  name: 'admin gateway forget',
  summary: 'Unbind a serial from its key; it must be unclaimed and without devices',
  arguments: [{ name: 'serial', help: 'serial of the gateway' }],
  options: { ...platformOptions, json: jsonOption },
  examples: ['admin gateway forget garage-7'],
  async run({ arguments: { serial }, options }, shell) {
    const config = await platformConfig(shell, options);
    await withPlatformStore({ config, shell }, (deps) => forgetGateway(serial, deps));
    printResult(shell, options.json, { gateway_serial: serial }, `${serial} is no longer bound to a key.`);
  },
});

export const gatewayCommands = [allow, list, forget];

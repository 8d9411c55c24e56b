import { allowGateway, forgetGateway } from '#cloud/operator/gateways.ts';
import { listKnownGateways } from '#cloud/store/gateways.ts';
import type { GatewayRow } from '#cloud/store/schema.ts';
import { formatTime } from '#contract/time.ts';
import { parsePublicKey } from '#lib/keys/public-key.ts';
import { command } from '../line/command.ts';
import { onPlatform, platformConfig, platformOptions } from '../server/on-platform.ts';
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
  summary: 'Bind a gateway serial to its key, before anybody claims it',
  arguments: [
    { name: 'serial', says: 'serial of the gateway' },
    { name: 'public key', says: 'its P-256 public key: base64, base64url, hex or PEM' },
  ],
  options: { ...platformOptions, json: jsonOption },
  examples: ['admin gateway allow garage-7 BFtY...='],
  async run({ arguments: { serial, 'public key': text }, options }, shell) {
    const config = await platformConfig(shell, options);
    const selfProvingPrefixes = config.SELF_PROVING_PREFIXES.split(',').filter(Boolean);
    const listing = { serial, key: parsePublicKey(text), selfProvingPrefixes };
    const gateway = await onPlatform({ config, shell, mayCreate: true }, (deps) => allowGateway(listing, deps));
    printResult(shell, options.json, shown(gateway), `${serial} can be claimed with this key and no other.`);
  },
});

const list = command({
  name: 'admin gateway list',
  summary: 'List the gateways, claimed or not',
  options: { ...platformOptions, json: jsonOption },
  examples: ['admin gateway list', 'admin gateway list --json'],
  async run({ options }, shell) {
    const config = await platformConfig(shell, options);
    const rows = await onPlatform({ config, shell }, ({ store }) => listKnownGateways(store.db));
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
  summary: 'Unbind a serial from its key, when nobody owns it and no device is on it',
  arguments: [{ name: 'serial', says: 'serial of the gateway' }],
  options: { ...platformOptions, json: jsonOption },
  examples: ['admin gateway forget garage-7'],
  async run({ arguments: { serial }, options }, shell) {
    const config = await platformConfig(shell, options);
    await onPlatform({ config, shell }, (deps) => forgetGateway(serial, deps));
    printResult(shell, options.json, { gateway_serial: serial }, `${serial} is forgotten.`);
  },
});

export const gatewayCommands = [allow, list, forget];

import { allowGateway, forgetGateway } from '#cloud/operator/gateways.ts';
import { listKnownGateways } from '#cloud/store/gateways.ts';
import type { GatewayRow } from '#cloud/store/schema.ts';
import { formatTime } from '#contract/time.ts';
import { parsePublicKey } from '#lib/keys/public-key.ts';
import { onPlatform } from '../server/platform-store.ts';

const shown = ({ serial, org_id, public_key, listed, claimed_at, online, last_seen }: GatewayRow) => ({
  gateway_serial: serial,
  org_id,
  public_key,
  listed: listed === 1,
  claimed_at: claimed_at === null ? null : formatTime(claimed_at),
  online: online === 1,
  last_seen: last_seen === null ? null : formatTime(last_seen),
});

const allow = onPlatform('admin gateway allow', {
  summary: 'Bind a gateway serial to its public key before it is claimed',
  arguments: [
    { name: 'serial', help: 'serial of the gateway' },
    { name: 'public key', help: 'P-256 public key: base64, base64url, hex or PEM' },
  ],
  examples: ['admin gateway allow garage-7 BFtY...='],
  async run({ config, withStore, arguments: { serial, 'public key': text } }) {
    const selfProvingPrefixes = config.SELF_PROVING_PREFIXES.split(',').filter(Boolean);
    const listing = { serial, key: parsePublicKey(text), selfProvingPrefixes };
    const gateway = await withStore((deps) => allowGateway(listing, deps), { mayCreate: true });
    return { result: shown(gateway), text: `${serial} can be claimed only with this key.` };
  },
});

const list = onPlatform('admin gateway list', {
  summary: 'List all gateways, claimed or not',
  examples: ['admin gateway list', 'admin gateway list --json'],
  async run({ withStore }) {
    const rows = await withStore(({ store }) => listKnownGateways(store.db));
    const items = rows.map((row) => ({ ...shown(row), device_count: row.device_count }));
    return { items, fields: ['gateway_serial', 'org_id', 'listed', 'claimed_at', 'online', 'device_count'] };
  },
});

const forget = onPlatform('admin gateway forget', {
  summary: 'Unbind a serial from its key; it must be unclaimed and without devices',
  arguments: [{ name: 'serial', help: 'serial of the gateway' }],
  examples: ['admin gateway forget garage-7'],
  async run({ withStore, arguments: { serial } }) {
    await withStore((deps) => forgetGateway(serial, deps));
    return { result: { gateway_serial: serial }, text: `${serial} is no longer bound to a key.` };
  },
});

export const gatewayCommands = [allow, list, forget];

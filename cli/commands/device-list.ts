import type { Client } from '#contract/client.ts';
import { type DeviceListing, getDevice } from '#contract/cloud/devices.ts';
import { listSiteDevices } from '#contract/cloud/sites.ts';
import { getData } from '#contract/gateway/data.ts';
import { type DeviceEntry, listDevices } from '#contract/gateway/devices.ts';
import { getCrypto } from '#contract/gateway/identity.ts';
import { Problem } from '#contract/problem.ts';
import { onGateway } from '../gateways/gateway-address.ts';
import { findDevice } from '../gateways/gateway-devices.ts';
import type { Shell } from '../line/command.ts';
import { plainMessage } from '../line/plain-message.ts';
import { formatNumber } from '../line/quantity.ts';
import { openSession } from '../sign-in/session.ts';
import { cloudUrl, readSignIns } from '../sign-in/sign-ins.ts';
import { findSite, siteOption } from '../sites/find-site.ts';
import { columns } from '../terminal/output.ts';

const gatewayFields = ['sn', 'profile', 'connected', 'ders'];
const platformFields = ['device_id', 'name', 'state'];

const list = onGateway('device list', {
  summary: 'List the devices of a gateway, with their state on the platform if you are signed in',
  options: { site: siteOption },
  examples: ['device list', 'device list --site House', 'device list --gateway http://192.168.1.20:8081 --json'],
  async run({ api: gateway, isExplicit, options }, shell) {
    const sides = [fetchGatewaySide(gateway), findPlatformSide(options.site, shell)] as const;
    const [here, there] = await Promise.allSettled(sides);
    const hasPlatform = there.status === 'fulfilled' && there.value !== undefined;
    if (here.status === 'rejected') warnOrThrow(here.reason, hasPlatform && !isExplicit, shell);
    if (there.status === 'rejected') warnOrThrow(there.reason, options.site === undefined, shell);
    const devices = await mergeDevices(
      here.status === 'fulfilled' ? here.value : undefined,
      there.status === 'fulfilled' ? there.value : undefined,
    );
    const rows = options.json ? devices : devices.map(rowOf);
    return { items: rows, fields: hasPlatform ? [...gatewayFields, ...platformFields] : gatewayFields };
  },
});

/** Fetches the devices of the site; undefined without a sign-in and a given site. */
async function findPlatformSide(site: string | undefined, shell: Shell) {
  const { platforms } = await readSignIns(shell);
  if (site === undefined && !platforms[await cloudUrl(shell)]) return undefined;
  const api = await openSession(shell);
  const { id: site_id } = await findSite(api, site);
  return {
    devices: await Array.fromAsync(api.pages(listSiteDevices, { params: { site_id } })),
    serialOf: async ({ id: device_id }: DeviceListing) =>
      (await api.call(getDevice, { params: { device_id } })).gateway_serial,
  };
}

/** Prints a warning if this side was not requested explicitly; else throws. */
function warnOrThrow(reason: unknown, mayBeMissing: boolean, { stderr }: Shell): void {
  if (!mayBeMissing || !(reason instanceof Problem)) throw reason;
  stderr.write(`${plainMessage(reason.message, list)}\n`);
}

const rowOf = ({ sn, gateway, platform }: ListedDevice) => ({
  sn,
  profile: gateway?.profile,
  connected: gateway && (gateway.connected ? 'yes' : `no: ${gateway.error ?? 'connecting'}`),
  ders: gateway?.ders.map(({ type, enabled }) => (enabled ? type : `${type} (not sent)`)).join(', '),
  device_id: platform?.id,
  name: platform?.name,
  state: platform && `${platform.state}, ${platform.online ? 'online' : 'offline'}`,
});

const show = onGateway('device show', {
  summary: 'Show a device of a gateway with its latest reading',
  arguments: [{ name: 'sn', help: 'serial of the device (see ohmstead device list)' }],
  examples: ['device show SN-A2311', 'device show p1_meter --json'],
  async run({ api, arguments: { sn } }) {
    const { ders, ...facts } = await findDevice(api, sn);
    const latest = (await api.call(getData, { params: { sn } })) ?? null;
    const blocks = ders.map(({ type, ...settings }) => ({ type, ...settings, ...latest?.[type] }));
    const text = [facts, ...blocks].map((block) =>
      columns(Object.entries(block).map(([name, value]) => [name, cell(value)])),
    );
    const silence = latest ? [] : ['No reading yet.'];
    return { result: { ...facts, ders, latest }, text: [...text, ...silence].join('\n\n') };
  },
});

function cell(value: unknown): string {
  if (typeof value === 'number') return formatNumber(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export const listCommands = [list, show];

/** A device on the gateway, on the platform, or both. */
export type ListedDevice = { sn: string; gateway: DeviceEntry | null; platform: DeviceListing | null };

type GatewaySide = Awaited<ReturnType<typeof fetchGatewaySide>>;

type PlatformSide = NonNullable<Awaited<ReturnType<typeof findPlatformSide>>>;

async function fetchGatewaySide(gateway: Client) {
  const { serialNumber: serial } = await gateway.call(getCrypto);
  const { devices } = await gateway.call(listDevices);
  return { serial, devices };
}

/** Merges both lists: first the devices of this gateway, then those of other gateways of the site. */
async function mergeDevices(here: GatewaySide | undefined, there: PlatformSide | undefined): Promise<ListedDevice[]> {
  const entries = here?.devices ?? [];
  const platformOf = new Map<string, DeviceListing>();
  for (const device of there?.devices ?? []) {
    // Meters without a serial have the same name on every gateway.
    const isHere =
      entries.some(({ sn }) => sn === device.hardware_id) && (await there?.serialOf(device)) === here?.serial;
    if (isHere) platformOf.set(device.hardware_id, device);
  }
  const elsewhere = there?.devices.filter((device) => platformOf.get(device.hardware_id) !== device) ?? [];
  return [
    ...entries.map((entry) => ({ sn: entry.sn, gateway: entry, platform: platformOf.get(entry.sn) ?? null })),
    ...elsewhere.map((device) => ({ sn: device.hardware_id, gateway: null, platform: device })),
  ];
}

import { getData } from '#contract/gateway/data.ts';
import { Problem } from '#contract/problem.ts';
import { gatewayOptions, openGateway } from '../gateways/gateway-address.ts';
import { findDevice } from '../gateways/gateway-devices.ts';
import {
  gatewaySide,
  type JoinedDevice,
  joinSides,
  type PlatformSide,
  platformSide,
} from '../gateways/joined-devices.ts';
import { command, type Shell } from '../line/command.ts';
import { plainMessage } from '../line/plain-message.ts';
import { showNumber } from '../line/quantity.ts';
import { cloudUrl } from '../sign-in/platform-address.ts';
import { signedIn } from '../sign-in/session.ts';
import { readSignIns } from '../sign-in/sign-ins.ts';
import { findSite, siteOption } from '../sites/find-site.ts';
import { columns, jsonOption, printList, printResult } from '../terminal/output.ts';

const gatewayFields = ['sn', 'profile', 'connected', 'ders'];
const platformFields = ['device_id', 'name', 'state'];

const list = command({
  name: 'device list',
  summary: 'List the devices of a gateway, beside what the platform has of them when you are signed in',
  options: { site: siteOption, ...gatewayOptions, json: jsonOption },
  examples: ['device list', 'device list --site House', 'device list --gateway http://192.168.1.20:8081 --json'],
  async run({ options }, shell) {
    const gateway = openGateway(options, shell);
    const [here, there] = await Promise.allSettled([gatewaySide(gateway.api), sideOfPlatform(options.site, shell)]);
    const hasPlatform = there.status === 'fulfilled' && there.value !== undefined;
    if (here.status === 'rejected') tellOrThrow(here.reason, hasPlatform && !gateway.isNamed, shell);
    if (there.status === 'rejected') tellOrThrow(there.reason, options.site === undefined, shell);
    const devices = await joinSides(
      here.status === 'fulfilled' ? here.value : undefined,
      there.status === 'fulfilled' ? there.value : undefined,
    );
    const rows = options.json ? devices : devices.map(rowOf);
    printList(shell, options.json, rows, hasPlatform ? [...gatewayFields, ...platformFields] : gatewayFields);
  },
});

/** Undefined when nobody is signed in, and no site was asked for. */
async function sideOfPlatform(site: string | undefined, shell: Shell): Promise<PlatformSide | undefined> {
  const { platforms } = await readSignIns(shell);
  if (site === undefined && !platforms[await cloudUrl(shell)]) return undefined;
  const api = await signedIn(shell);
  return platformSide(api, await findSite(api, site));
}

/** A side that was not asked for may be missing, which is told beside the list. */
function tellOrThrow(reason: unknown, mayBeMissing: boolean, { stderr }: Shell): void {
  if (!mayBeMissing || !(reason instanceof Problem)) throw reason;
  stderr.write(`${plainMessage(reason.message, list)}\n`);
}

const rowOf = ({ sn, gateway, platform }: JoinedDevice) => ({
  sn,
  profile: gateway?.profile,
  connected: gateway && (gateway.connected ? 'yes' : `no: ${gateway.error ?? 'it is being tried'}`),
  ders: gateway?.ders.map(({ type, enabled }) => (enabled ? type : `${type} (not sent)`)).join(', '),
  device_id: platform?.id,
  name: platform?.name,
  state: platform && `${platform.state}, ${platform.online ? 'online' : 'offline'}`,
});

const show = command({
  name: 'device show',
  summary: 'Show a device of a gateway with its latest reading',
  arguments: [{ name: 'sn', says: 'serial of the device, as ohmstead device list shows it' }],
  options: { ...gatewayOptions, json: jsonOption },
  examples: ['device show SN-A2311', 'device show p1_meter --json'],
  async run({ arguments: { sn }, options }, shell) {
    const { api } = openGateway(options, shell);
    const { ders, ...facts } = await findDevice(api, sn);
    const latest = (await api.call(getData, { params: { sn } })) ?? null;
    const blocks = ders.map(({ type, ...settings }) => ({ type, ...settings, ...latest?.[type] }));
    const text = [facts, ...blocks].map((block) =>
      columns(Object.entries(block).map(([name, value]) => [name, cell(value)])),
    );
    const silence = latest ? [] : ['It has not been read yet.'];
    printResult(shell, options.json, { ...facts, ders, latest }, [...text, ...silence].join('\n\n'));
  },
});

function cell(value: unknown): string {
  if (typeof value === 'number') return showNumber(value);
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export const listCommands = [list, show];

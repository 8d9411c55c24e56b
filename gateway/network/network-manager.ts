import { randomUUID } from 'node:crypto';
import type { SeenNetwork } from '#contract/gateway/network.ts';
import type { Run } from './run-command.ts';

export type WifiDevice = { name: string; state: string };

/** A stored Wi-Fi connection; `device` is empty while it is not in use. */
export type Profile = { uuid: string; device: string };

export type Scanned = SeenNetwork & { isInUse: boolean };

/** Controls NetworkManager through its command nmcli. */
export type NetworkManager = {
  /** Returns the Wi-Fi device; the connected one if there are several. */
  wifiDevice(): Promise<WifiDevice | undefined>;
  isRadioOn(): Promise<boolean>;
  /** Returns the networks of the last scan, strongest first, each name once. */
  networks(device: string): Promise<Scanned[]>;
  scan(device: string): Promise<void>;
  /** Creates a new profile if a password is given; otherwise uses the existing profile, if any. */
  connect(device: string, ssid: string, psk: string): Promise<void>;
  disconnect(device: string): Promise<void>;
  profiles(): Promise<Profile[]>;
  /** Returns the network names of profiles by uuid. */
  ssidsOf(profiles: readonly Profile[]): Promise<Map<string, string>>;
  forget(profiles: readonly Profile[]): Promise<void>;
};

const joinSeconds = 30;
const uuidField = 'connection.uuid';
const ssidField = '802-11-wireless.ssid';

export function createNetworkManager(run: Run): NetworkManager {
  const ask = async (fields: string, ...args: string[]): Promise<string[][]> =>
    rowsOf(await run('nmcli', ['--terse', '--fields', fields, ...args]));

  return {
    async wifiDevice() {
      const rows = await ask('TYPE,STATE,DEVICE', 'device', 'status');
      const devices = rows.flatMap(([type, state = '', name = '']) => (type === 'wifi' ? [{ name, state }] : []));
      return devices.find(({ state }) => state.startsWith('connected')) ?? devices[0];
    },

    async isRadioOn() {
      return (await run('nmcli', ['radio', 'wifi'])).trim() === 'enabled';
    },

    async networks(device) {
      const list = ['device', 'wifi', 'list', 'ifname', device, '--rescan', 'no'];
      return strongestOf((await ask('IN-USE,SSID,SIGNAL,SECURITY', ...list)).map(scannedOf));
    },

    async scan(device) {
      await run('nmcli', ['device', 'wifi', 'rescan', 'ifname', device]);
    },

    async connect(device, ssid, psk) {
      const join = ['--wait', String(joinSeconds), 'device', 'wifi', 'connect', ssid, 'ifname', device];
      const timeoutMs = (joinSeconds + 5) * 1000;
      if (psk === '') {
        await run('nmcli', join, { timeoutMs });
        return;
      }
      // Without a unique name, nmcli would overwrite the password of the existing profile, even with a wrong one.
      // Arguments are visible to all users of the machine, so the password is sent to standard input.
      const interactive = ['--ask', ...join, 'name', `${ssid} ${randomUUID()}`];
      await run('nmcli', interactive, { timeoutMs, input: `${psk}\n` });
    },

    async disconnect(device) {
      await run('nmcli', ['device', 'disconnect', device]);
    },

    async profiles() {
      const rows = await ask('UUID,TYPE,DEVICE', 'connection', 'show');
      return rows.flatMap(([uuid = '', type, device = '']) =>
        type === '802-11-wireless' ? [{ uuid, device: device === '--' ? '' : device }] : [],
      );
    },

    async ssidsOf(profiles) {
      if (profiles.length === 0) return new Map();
      const form = ['--terse', '--mode', 'multiline', '--escape', 'no', '--fields', `${uuidField},${ssidField}`];
      const asked = profiles.flatMap(({ uuid }) => ['uuid', uuid]);
      return ssidsIn(await run('nmcli', [...form, 'connection', 'show', ...asked]));
    },

    async forget(profiles) {
      for (const { uuid } of profiles) await run('nmcli', ['connection', 'delete', 'uuid', uuid]);
    },
  };
}

/** Parses lines of fields separated by colons; colons and backslashes in a field are escaped by a backslash. */
export const rowsOf = (text: string): string[][] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) =>
      [...`${line}:`.matchAll(/((?:\\.|[^:\\])*):/g)].map(([, field = '']) => field.replace(/\\(.)/g, '$1')),
    );

/** Parses one line per field; the uuid of a profile precedes its network. */
function ssidsIn(text: string): Map<string, string> {
  const ssids = new Map<string, string>();
  let uuid = '';
  for (const line of text.split('\n')) {
    if (line.startsWith(`${uuidField}:`)) uuid = line.slice(uuidField.length + 1);
    if (line.startsWith(`${ssidField}:`)) ssids.set(uuid, line.slice(ssidField.length + 1));
  }
  return ssids;
}

function scannedOf([inUse, ssid = '', signal = '0', security = '']: string[]): Scanned {
  const rssi = Math.round(Number(signal) / 2 - 100); // NetworkManager reports a percentage: 0 is -100 dBm, 100 is -50 dBm
  return { ssid, rssi, auth: security === '' || security === '--' ? 'open' : security, isInUse: inUse === '*' };
}

/** Lists a network with several access points once: the one in use, otherwise the strongest. */
function strongestOf(seen: Scanned[]): Scanned[] {
  const bySsid = new Map<string, Scanned>();
  const sorted = seen.sort((a, b) => Number(b.isInUse) - Number(a.isInUse) || b.rssi - a.rssi);
  for (const network of sorted) {
    if (network.ssid !== '' && !bySsid.has(network.ssid)) bySsid.set(network.ssid, network); // hidden networks have no name
  }
  return [...bySsid.values()].sort((a, b) => b.rssi - a.rssi);
}

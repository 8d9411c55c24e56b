import { randomUUID } from 'node:crypto';
import type { SeenNetwork } from '#contract/gateway/network.ts';
import type { Run } from './run-command.ts';

export type WifiDevice = { name: string; state: string };

/** A stored Wi-Fi connection; `device` is empty while it is not in use. */
export type Profile = { uuid: string; device: string };

export type Scanned = SeenNetwork & { isInUse: boolean };

const joinSeconds = 30;
const uuidField = 'connection.uuid';
const ssidField = '802-11-wireless.ssid';

export type NetworkManager = ReturnType<typeof createNetworkManager>;

/** Controls NetworkManager through its command nmcli. */
export function createNetworkManager(run: Run) {
  const ask = async (fields: string, ...args: string[]): Promise<string[][]> =>
    rowsOf(await run('nmcli', ['--terse', '--fields', fields, ...args]));

  return {
    /** Returns the Wi-Fi device; the connected one if there are several. */
    async wifiDevice(): Promise<WifiDevice | undefined> {
      const rows = await ask('TYPE,STATE,DEVICE', 'device', 'status');
      const devices = rows.flatMap(([type, state = '', name = '']) => (type === 'wifi' ? [{ name, state }] : []));
      return devices.find(({ state }) => state.startsWith('connected')) ?? devices[0];
    },

    isRadioOn: async () => (await run('nmcli', ['radio', 'wifi'])).trim() === 'enabled',

    /** Returns the networks of the last scan, strongest first, each name once. */
    async networks(device: string): Promise<Scanned[]> {
      const list = ['device', 'wifi', 'list', 'ifname', device, '--rescan', 'no'];
      return strongestOf((await ask('IN-USE,SSID,SIGNAL,SECURITY', ...list)).map(scannedOf));
    },

    scan: (device: string) => run('nmcli', ['device', 'wifi', 'rescan', 'ifname', device]),

    /** Creates a new profile if a password is given; otherwise uses the existing profile, if any. */
    connect(device: string, ssid: string, psk: string): Promise<string> {
      const join = ['--wait', String(joinSeconds), 'device', 'wifi', 'connect', ssid, 'ifname', device];
      const timeoutMs = (joinSeconds + 5) * 1000;
      if (psk === '') return run('nmcli', join, { timeoutMs });
      // Without a unique name, nmcli would overwrite the password of the existing profile, even with a wrong one.
      // Arguments are visible to all users of the machine, so the password is sent to standard input.
      const interactive = ['--ask', ...join, 'name', `${ssid} ${randomUUID()}`];
      return run('nmcli', interactive, { timeoutMs, input: `${psk}\n` });
    },

    disconnect: (device: string) => run('nmcli', ['device', 'disconnect', device]),

    async profiles(): Promise<Profile[]> {
      const rows = await ask('UUID,TYPE,DEVICE', 'connection', 'show');
      return rows.flatMap(([uuid = '', type, device = '']) =>
        type === '802-11-wireless' ? [{ uuid, device: device === '--' ? '' : device }] : [],
      );
    },

    /** Returns the network names of profiles by uuid. */
    async ssidsOf(profiles: readonly Profile[]): Promise<Map<string, string>> {
      if (profiles.length === 0) return new Map();
      const form = ['--terse', '--mode', 'multiline', '--escape', 'no', '--fields', `${uuidField},${ssidField}`];
      const asked = profiles.flatMap(({ uuid }) => ['uuid', uuid]);
      return ssidsIn(await run('nmcli', [...form, 'connection', 'show', ...asked]));
    },

    async forget(profiles: readonly Profile[]): Promise<void> {
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
  const pairs = text.matchAll(new RegExp(`^${uuidField}:(.*)\n${ssidField}:(.*)$`, 'gm'));
  return new Map(Array.from(pairs, ([, uuid = '', ssid = '']) => [uuid, ssid]));
}

function scannedOf([inUse, ssid = '', signal = '0', security = '']: string[]): Scanned {
  const rssi = Math.round(Number(signal) / 2 - 100); // NetworkManager reports a percentage: 0 is -100 dBm, 100 is -50 dBm
  return { ssid, rssi, auth: security === '' || security === '--' ? 'open' : security, isInUse: inUse === '*' };
}

/** Lists a network with several access points once: the one in use, otherwise the strongest. */
function strongestOf(seen: Scanned[]): Scanned[] {
  const named = seen.filter(({ ssid }) => ssid !== ''); // hidden networks have no name
  const worstFirst = named.sort((a, b) => Number(a.isInUse) - Number(b.isInUse) || a.rssi - b.rssi);
  const bySsid = new Map(worstFirst.map((network) => [network.ssid, network]));
  return [...bySsid.values()].sort((a, b) => b.rssi - a.rssi);
}

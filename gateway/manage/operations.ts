import type { Status } from '#contract/gateway/status.ts';
import type { ArgsOf, GatewayStatus, ManagedDevice, OperationName, ResultOf } from '#contract/manage.ts';
import { parseTime } from '#contract/time.ts';
import { isObject } from '#lib/json.ts';
import { changeDers } from '../devices/der-entries.ts';
import type { Device } from '../devices/device.ts';
import type { Devices } from '../devices/devices.ts';
import { line, type Scan } from './scan.ts';

export type OperationsDeps = {
  version: string;
  devices: Pick<Devices, 'list' | 'find' | 'findSame' | 'add'>;
  scan: Pick<Scan, 'start' | 'status'>;
  uplink(): Status['uplink'];
  recentLog(): string[];
};

export type Operations = { [Name in OperationName]: (args: ArgsOf<Name>) => ResultOf<Name> | Promise<ResultOf<Name>> };

const maxDevices = 100;
const maxErrors = 10;

/** Returns everything that the platform may ask of this gateway: what a person at home can do, without what needs presence. */
export function createOperations({ version, devices, scan, uplink, recentLog }: OperationsDeps): Operations {
  return {
    status(): GatewayStatus {
      const { connected, waiting, bytes, dropped, broker, oldest, acknowledged } = uplink();
      const all = devices.list();
      return {
        version,
        connected,
        sending: all.some(({ isConnected, ders }) => isConnected && ders.some(({ enabled }) => enabled)),
        waiting,
        outbox_bytes: bytes,
        dropped,
        devices: all.length,
        devices_connected: all.filter(({ isConnected }) => isConnected).length,
        errors: recentLog().flatMap(errorOf).slice(-maxErrors).toReversed(),
        ...(broker && { broker: line(broker, 300) }),
        ...(oldest !== undefined && { oldest }),
        ...(acknowledged && { acknowledged_at: acknowledged.at }),
      };
    },
    list_devices: () => ({ devices: devices.list().slice(0, maxDevices).map(managedDevice) }),
    scan: () => scan.start(),
    scan_status: () => scan.status(),
    async add_device(given) {
      const same = devices.findSame(given);
      if (same) return { device: managedDevice(same), added: false };
      return { device: managedDevice(await devices.add(given)), added: true };
    },
    async change_device({ sn, ders }) {
      const device = devices.find(sn);
      await device.changeDers((set) => changeDers(set, ders));
      return managedDevice(device);
    },
  };
}

function managedDevice(device: Device): ManagedDevice {
  const { sn, type, profile, device_type, connected, error, ders } = device.entry();
  const readings = device.snapshot('later');
  return {
    sn,
    type,
    profile,
    name: line(device.profile.display_name, 128),
    device_type,
    connected,
    ...(error && { error: line(error, 500) }),
    ders: ders.map((der) => {
      const reading = readings?.[der.type];
      return { ...der, ...(reading && { latest: latestOf(reading) }) };
    }),
  };
}

function latestOf(reading: { timestamp: number } & Record<string, unknown>) {
  const { timestamp, W, SoC_nom_fract, vehicle_soc_fract } = reading;
  const given = Object.entries({ W, SoC_nom_fract, vehicle_soc_fract }).filter(([, value]) => Number.isFinite(value));
  return { timestamp, ...Object.fromEntries(given) };
}

/** Returns a line of the log if it is a warning or an error; its other fields stay at home. */
function errorOf(text: string): GatewayStatus['errors'] {
  if (!/"level":"(warn|error|fatal)"/.test(text)) return [];
  try {
    const entry: unknown = JSON.parse(text);
    if (!isObject(entry) || typeof entry.msg !== 'string') return [];
    const at = typeof entry.time === 'number' ? entry.time : parseTime(String(entry.time));
    if (at === undefined) return [];
    const about = [entry.sn, entry.reason].filter((part) => typeof part === 'string');
    return [{ at, message: line([entry.msg, ...about].join(': '), 300) }];
  } catch {
    return [];
  }
}

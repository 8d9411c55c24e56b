import { readdir } from 'node:fs/promises';
import { isIPv4 } from 'node:net';
import { networkInterfaces } from 'node:os';
import { type FoundDevice, type GatewayScan, maxFound } from '#contract/manage.ts';
import { Problem } from '#contract/problem.ts';
import type { Clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';
import { parseNetwork } from '#lib/network.ts';
import type { Detect } from '../devices/detect.ts';
import type { Device } from '../devices/device.ts';
import type { ModbusEndpoint } from '../links/modbus/buses.ts';
import { isOpen } from '../network/port-check.ts';
import { usualPorts } from '../profiles/detect.ts';
import { findProfile } from '../profiles/index.ts';

/** Returns text as one line of at most this length. */
export const line = (text: string, max: number): string => text.replace(/[\p{Cc}\p{Cs}]+/gu, ' ').slice(0, max);

export type ScanDeps = {
  /** what to search: networks, addresses, host:port; `local` for the networks of this machine */
  places: string;
  lines: { rs485: string | undefined; p1: string | undefined };
  detect: Pick<Detect, 'lookAt'>;
  devices: { list(): Device[] };
  resolve(host: string): Promise<string>;
  clock: Clock;
  log: Logger;
};

export type Scan = ReturnType<typeof createScan>;

type Endpoint = { host: string; port: number };

type Place = { shown: string; endpoints: Endpoint[] };

const maxHosts = 1024;
const maxPlaces = 32;
const connectMs = 500;
const parallelConnects = 64;
const parallelDetections = 2;
const chunk = 256; // addresses; what answers among them is looked at before the next
const virtual = /^(docker|br-|veth|virbr|cni|flannel|tun|tap|wg|tailscale|zt)/;
const adapters = /^tty(USB|ACM)\d+$/;

/** Searches the local networks for Modbus TCP devices, and the serial lines. One search runs at a time. */
export function createScan(deps: ScanDeps) {
  const { detect, devices, lines, clock, log } = deps;
  let current: GatewayScan = { state: 'none', places: [], checked: 0, total: 0, found: [] };
  let stopping = new AbortController();
  let running = Promise.resolve();

  async function run(scan: GatewayScan, signal: AbortSignal): Promise<void> {
    try {
      const places = (await placesOf(deps)).slice(0, maxPlaces);
      const serial = await serialLines();
      scan.places = [...places.map(({ shown }) => shown), ...serial].slice(0, maxPlaces).map((text) => line(text, 128));
      const endpoints = places.flatMap((place) => place.endpoints).slice(0, maxHosts * usualPorts.length);
      scan.total = endpoints.length + serial.length;
      for (let at = 0; at < endpoints.length && !signal.aborted; at += chunk) {
        const open: Endpoint[] = [];
        await forEach(endpoints.slice(at, at + chunk), parallelConnects, async (endpoint) => {
          if (!signal.aborted && (await isOpen(endpoint.host, endpoint.port, connectMs))) open.push(endpoint);
          scan.checked++;
        });
        scan.total += open.length;
        await forEach(open, parallelDetections, async (endpoint) => {
          if (!signal.aborted) await lookAt(scan, endpoint);
          scan.checked++;
        });
      }
      for (const port of serial) {
        if (!signal.aborted) await lookAtLine(scan, port);
        scan.checked++;
      }
    } catch (error) {
      log.error({ err: error }, 'failed to search for devices');
    } finally {
      scan.state = 'done';
      scan.ended_at = clock.now();
      log.info({ checked: scan.checked, found: scan.found.length }, 'search for devices ended');
    }
  }

  /** Returns the configured lines, else the adapters that are plugged in. */
  async function serialLines(): Promise<string[]> {
    const configured = [lines.rs485, lines.p1].filter((port) => port !== undefined);
    if (configured.length > 0 || !isLocal(deps.places)) return configured;
    const names = await readdir('/dev').catch(() => []); // no such folder, no serial lines
    return names.filter((name) => adapters.test(name)).map((name) => `/dev/${name}`);
  }

  function add(scan: GatewayScan, found: Omit<FoundDevice, 'name' | 'device_type'>): void {
    const profile = findProfile(found.connection.profile);
    if (!profile || scan.found.length >= maxFound) return;
    const { display_name, device_type } = profile;
    scan.found.push({ ...found, name: line(display_name, 128), device_type });
  }

  function addKnown(scan: GatewayScan, device: Device): void {
    const { type, ip, port, unit_id, serial_port } = device.kept.connection;
    const connection = {
      type,
      profile: device.profile.profile,
      ...(typeof ip === 'string' && { ip }),
      ...(typeof port === 'number' && { port }),
      ...(typeof unit_id === 'number' && { unit_id }),
      ...(typeof serial_port === 'string' && { serial_port }),
    };
    add(scan, { connection, confidence: 'high', reason: 'The gateway reads it.', sn: device.sn });
  }

  async function lookAt(scan: GatewayScan, { host, port }: Endpoint): Promise<void> {
    const known = devices
      .list()
      .filter(({ kept: { connection } }) => connection.ip === host && connection.port === port);
    for (const device of known) addKnown(scan, device);
    if (known.length > 0) return;
    await propose(scan, { host, port }, (profile, unit_id) => ({
      type: 'modbus_tcp',
      ip: host,
      port,
      unit_id,
      profile,
    }));
  }

  async function lookAtLine(scan: GatewayScan, port: string): Promise<void> {
    const known = devices.list().filter(({ kept: { connection } }) => connection.serial_port === port);
    for (const device of known) addKnown(scan, device);
    if (known.length > 0) return;
    if (port === lines.rs485) {
      const settings = { port, baudRate: 9600, dataBits: 8, parity: 'none', stopBits: 1 } as const;
      await propose(scan, { line: settings }, (profile, unit_id) => ({
        type: 'modbus_rtu',
        serial_port: port,
        baud_rate: settings.baudRate,
        unit_id,
        profile,
      }));
      return;
    }
    const reason = 'A serial line without a device; adding it listens for a meter.';
    add(scan, { connection: { type: 'p1_uart', serial_port: port, profile: 'p1_meter' }, confidence: 'low', reason });
  }

  /** Adds the best match of each unit that answers. */
  async function propose(
    scan: GatewayScan,
    endpoint: ModbusEndpoint,
    connectionOf: (profile: string, unitId: number) => FoundDevice['connection'],
  ): Promise<void> {
    try {
      const units = new Set<number>();
      for (const { profile, unit_id, confidence, serial, reason } of await detect.lookAt(endpoint)) {
        if (units.has(unit_id)) continue;
        units.add(unit_id);
        const same = devices.list().find(({ sn }) => serial !== undefined && sn === serial);
        add(scan, {
          connection: connectionOf(profile, unit_id),
          confidence,
          reason: line(reason, 500),
          ...(serial && { serial: line(serial, 128) }),
          ...(same && { sn: same.sn }),
        });
      }
    } catch (error) {
      if (!(error instanceof Problem)) throw error; // something else listens there
    }
  }

  return {
    /** Starts a search. While one runs, returns that one. */
    start(): GatewayScan {
      if (current.state === 'running') return current;
      current = { state: 'running', places: [], checked: 0, total: 0, found: [], started_at: clock.now() };
      stopping = new AbortController();
      running = run(current, stopping.signal);
      return current;
    },
    status: (): GatewayScan => current,
    async close(): Promise<void> {
      stopping.abort();
      await running;
    },
  };
}

const isLocal = (places: string): boolean => places.split(',').some((place) => place.trim() === 'local');

async function placesOf({ places, resolve, log }: ScanDeps): Promise<Place[]> {
  const found: Place[] = isLocal(places) ? localNetworks() : [];
  for (const place of places.split(',').map((each) => each.trim())) {
    if (place === '' || place === 'local') continue;
    const [, host = place, port] = /^([^/]+?):(\d{1,5})$/.exec(place) ?? [];
    try {
      const hosts = place.includes('/') ? hostsOf(place) : [await resolve(host)];
      const ports = port === undefined ? usualPorts : [Number(port)];
      found.push({ shown: place, endpoints: endpointsOf(hosts, ports) });
    } catch (error) {
      log.warn({ place, err: error }, 'place of GATEWAY_SCAN is not searched');
    }
  }
  return found;
}

/** The most common port of all hosts comes first. */
const endpointsOf = (hosts: readonly string[], ports: readonly number[]) =>
  ports.flatMap((port) => hosts.map((host) => ({ host, port })));

/** Returns the private IPv4 networks of this machine; of large ones the 254 addresses around its own. */
function localNetworks(): Place[] {
  return Object.entries(networkInterfaces()).flatMap(([name, addresses = []]) =>
    addresses.flatMap(({ family, internal, address, cidr }) => {
      if (family !== 'IPv4' || internal || virtual.test(name) || !isPrivate.test(address)) return [];
      const bits = Math.max(24, Number(cidr?.split('/')[1] ?? 24));
      const network = `${address}/${bits}`;
      const hosts = hostsOf(network).filter((host) => host !== address);
      return [{ shown: network, endpoints: endpointsOf(hosts, usualPorts) }];
    }),
  );
}

const isPrivate = /^(10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.)/;

/** Returns the addresses of an IPv4 network, without its first and last. */
export function hostsOf(text: string): string[] {
  const network = parseNetwork(text);
  if (!network || !isIPv4(network.address)) throw new Error(`${text} is not an IPv4 network such as 192.168.1.0/24.`);
  const size = 2 ** (32 - network.bits);
  if (size > maxHosts) throw new Error(`${text} has more than ${maxHosts} addresses.`);
  const own = network.address.split('.').reduce((number, part) => number * 256 + Number(part), 0);
  const first = own - (own % size);
  const ends = size > 2 ? 1 : 0;
  return Array.from({ length: size - 2 * ends }, (_, n) => {
    const number = first + n + ends;
    return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
  });
}

/** Runs a task for every item, a maximum number at the same time. */
async function forEach<Item>(
  items: readonly Item[],
  parallel: number,
  task: (item: Item) => Promise<void>,
): Promise<void> {
  const rest = items.values();
  const work = async (): Promise<void> => {
    for (const item of rest) await task(item);
  };
  await Promise.all(Array.from({ length: parallel }, work));
}

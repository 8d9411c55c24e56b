import type { ConnectionType } from '#contract/gateway/connections.ts';
import { fieldProblem, orProblem, Problem } from '#contract/problem.ts';
import type { ProfileInfo } from '../profiles/profile.ts';
import { type DeviceConnection, readConnection } from './connection.ts';
import { withNewKinds } from './der-entries.ts';
import { Device, type DeviceDeps } from './device.ts';
import type { DeviceFiles, KeptDevice } from './device-files.ts';
import { throwDeviceProblem } from './device-problem.ts';
import { bufferEvents, type Driver, type Found } from './driver.ts';
import { clashes, connectionKey, fallbackSerial } from './serial.ts';

export type DevicesDeps = Pick<DeviceDeps, 'onReading' | 'onState' | 'clock' | 'log'> & {
  /** called while the device is still connected */
  beforeRemoval(sn: string): Promise<void>;
  files: DeviceFiles;
  findProfile(id: string): ProfileInfo | undefined;
  openDriver(connection: DeviceConnection, found?: Found): Driver;
  /** fills in parameters that were not given */
  complete(connection: DeviceConnection): DeviceConnection;
  /** the serial line used when a device names none */
  ownLine?: string | undefined;
  /** replaces the host name by its address; throws a Problem when the gateway may not connect to it */
  resolveTarget(connection: DeviceConnection): Promise<DeviceConnection>;
  freeMemoryKb(): number;
  minFreeKb: number;
};

export class Devices {
  readonly #deps: DevicesDeps;
  readonly #bySn = new Map<string, Device>();
  /** connections and serials in use, including devices that are being added */
  readonly #inUse = new Set<string>();
  readonly #adding = new Set<Driver>();
  readonly #arriving = new Set<Promise<Device>>();
  #isEmptying = false;

  constructor(deps: DevicesDeps) {
    this.#deps = deps;
  }

  /** Loads the stored devices and connects them in the background. */
  async start(): Promise<void> {
    for (const kept of await this.#deps.files.load()) {
      const profile = this.#deps.findProfile(String(kept.connection.profile));
      if (profile) this.#hold(kept, profile).connect();
      else {
        const { sn, connection } = kept;
        this.#deps.log.error({ sn, profile: connection.profile }, 'ignored a device with an unknown profile');
      }
    }
  }

  list(): Device[] {
    return [...this.#bySn.values()];
  }

  find(sn: string): Device {
    const device = this.#bySn.get(sn);
    if (!device) throw new Problem('not_found', `Unknown device ${sn}.`);
    return device;
  }

  /** Returns the device that is connected in this way already, with the same profile. */
  findSame(given: { type: ConnectionType } & Record<string, unknown>): Device | undefined {
    const asked = readConnection(given);
    const plug = connectionKey(this.#deps.complete(asked));
    return this.list().find(
      ({ kept, profile }) => connectionKey(kept.connection) === plug && profile.profile === asked.profile,
    );
  }

  /** Connects a device and stores it when it answers. */
  async add(given: { type: ConnectionType } & Record<string, unknown>): Promise<Device> {
    const asked = readConnection(given);
    const profile = this.#profileOf(asked);
    const connection = this.#deps.complete(asked);
    if (this.#isEmptying) throw new Problem('conflict', 'All devices are being removed; add it when they are.');
    const plug = connectionKey(connection);
    refuseTaken(plug, this.#inUse);
    if (this.#deps.freeMemoryKb() <= this.#deps.minFreeKb) {
      const needed = `more than ${this.#deps.minFreeKb} kB of free memory`;
      throw new Problem('insufficient_memory', `Adding a device needs ${needed}.`);
    }
    this.#inUse.add(plug);
    const arriving = this.#connect(connection, profile);
    this.#arriving.add(arriving);
    try {
      return await arriving;
    } catch (error) {
      this.#inUse.delete(plug);
      throwDeviceProblem(error);
    } finally {
      this.#arriving.delete(arriving);
    }
  }

  async #connect(connection: DeviceConnection, profile: ProfileInfo): Promise<Device> {
    await this.#refuseOtherName(connection);
    const driver = this.#deps.openDriver(connection);
    const early = bufferEvents();
    let serial: string | undefined;
    this.#adding.add(driver);
    try {
      const found = await driver.open(early.events);
      const taken = (name: string): boolean => this.#inUse.has(serialKey(name));
      const sn = found.serial ?? fallbackSerial(connection, { taken, ownLine: this.#deps.ownLine });
      if (taken(sn)) throw new Problem('conflict', this.#describeKnown(sn));
      serial = serialKey(sn);
      this.#inUse.add(serial);
      const kept: KeptDevice = { sn, connection, ders: withNewKinds([], found.ders), found };
      await this.#deps.files.save(kept).catch(orStorageFailed);
      const device = this.#hold(kept, profile);
      device.adopt(driver, found);
      early.passOn(device.eventsOf(driver));
      this.#deps.log.info({ sn, profile: profile.profile, type: connection.type }, 'device added');
      return device;
    } catch (error) {
      if (serial) this.#inUse.delete(serial);
      await driver.close();
      throw error;
    } finally {
      this.#adding.delete(driver);
    }
  }

  #describeKnown(sn: string): string {
    const known = this.#bySn.get(sn);
    const here = `The device ${sn} is here already`;
    if (!known || known.isConnected) return `${here}.`;
    const place = connectionKey(known.kept.connection);
    return `${here}, but is not connected at its former place (${place}). If it has moved, remove it, then add it again.`;
  }

  /** Refuses a place that a device has already under another host name or link. */
  async #refuseOtherName(connection: DeviceConnection): Promise<void> {
    const { resolveTarget } = this.#deps;
    const place = connectionKey(await resolveTarget(connection));
    const resolving = this.list().map(({ kept }) => resolveTarget(kept.connection).catch(() => kept.connection));
    refuseTaken(place, (await Promise.all(resolving)).map(connectionKey));
  }

  #profileOf(connection: DeviceConnection): ProfileInfo {
    const profile = this.#deps.findProfile(String(connection.profile));
    if (!profile) {
      throw fieldProblem('invalid_request', 'body.profile', 'is not a profile of GET /api/devices/supported');
    }
    if (!profile.connection_types.includes(connection.type)) {
      const ways = profile.connection_types.join(' or ');
      throw fieldProblem('invalid_request', 'body.type', `${profile.display_name} is connected by ${ways}`);
    }
    return profile;
  }

  #hold(kept: KeptDevice, profile: ProfileInfo): Device {
    const { files, openDriver } = this.#deps;
    const device: Device = new Device(kept, {
      ...this.#deps,
      profile,
      openDriver: () => openDriver(kept.connection, device.kept.found),
      save: (changed) => files.save(changed).catch(orStorageFailed),
    });
    this.#bySn.set(kept.sn, device);
    this.#inUse.add(connectionKey(kept.connection)).add(serialKey(kept.sn));
    return device;
  }

  async remove(sn: string): Promise<void> {
    await this.#forget([this.find(sn)], () => this.#deps.files.remove(sn));
    this.#deps.log.info({ sn }, 'device removed');
  }

  async removeAll(): Promise<void> {
    this.#isEmptying = true;
    try {
      await Promise.allSettled(this.#arriving); // otherwise the file is removed but the device stays
      await this.#forget(this.list(), () => this.#deps.files.removeAll());
    } finally {
      this.#isEmptying = false;
    }
    this.#deps.log.info('all devices removed');
  }

  async #forget(devices: readonly Device[], remove: () => Promise<void>): Promise<void> {
    await Promise.all(devices.map(({ sn }) => this.#deps.beforeRemoval(sn)));
    await Promise.all(devices.map((device) => device.close()));
    try {
      await remove().catch(orStorageFailed);
    } catch (error) {
      for (const { kept, profile } of devices) this.#hold(kept, profile).connect();
      throw error;
    }
    for (const { sn, kept } of devices) {
      this.#bySn.delete(sn);
      this.#inUse.delete(connectionKey(kept.connection));
      this.#inUse.delete(serialKey(sn));
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.list(), ...this.#adding].map((open) => open.close()));
  }
}

function refuseTaken(plug: string, inUse: Iterable<string>): void {
  const taken = [...inUse].find((used) => clashes(plug, used));
  if (taken) throw new Problem('conflict', `There is a device at this place already: ${taken}.`);
}

const serialKey = (sn: string): string => `serial ${sn}`;

const orStorageFailed = orProblem('storage_failed', 'The change could not be written to disk; nothing was changed.');

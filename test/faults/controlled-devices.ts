import { join } from 'node:path';
import type { Watchdog } from '#gateway/control/watchdog.ts';
import { openDeviceFiles } from '#gateway/devices/device-files.ts';
import { Devices } from '#gateway/devices/devices.ts';
import { createDrivers } from '#gateway/devices/drivers.ts';
import { createModbusBuses } from '#gateway/links/modbus/buses.ts';
import { findProfile } from '#gateway/profiles/index.ts';
import { systemClock as clock } from '#lib/clock.ts';
import type { Logger } from '#lib/log.ts';

/** Devices of a gateway on real connections, with what control needs. */
export async function openDevices(dataDir: string, { harvestMs, log }: { harvestMs: number; log: Logger }) {
  const buses = createModbusBuses();
  const resolve = async (host: string): Promise<string> => host;
  const drivers = createDrivers({ findProfile, buses, resolve, clock, harvestMs });
  const devices = new Devices({
    files: await openDeviceFiles(join(dataDir, 'devices'), log),
    findProfile,
    openDriver: drivers.open,
    complete: (connection) => connection,
    resolveTarget: drivers.resolveTarget,
    freeMemoryKb: () => 1e6,
    minFreeKb: 0,
    onReading: () => {},
    onState: () => {},
    beforeRemoval: async () => {},
    clock,
    log,
  });
  return { devices, buses, resolve };
}

/** A watchdog that does nothing. */
export const nobody: Watchdog = { hold: async () => {}, released: () => {}, close: async () => {} };

import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Status } from '#contract/gateway/status.ts';
import { type Ack, type ControlDeps, openControl } from '#gateway/control/control.ts';
import { controlRoutes } from '#gateway/control/routes.ts';
import { resolveDeviceAddress } from '#gateway/devices/resolve-address.ts';
import { statusRoutes } from '#gateway/system/status.ts';
import { systemClock } from '#lib/clock.ts';
import type { Bank } from '#sim/modbus/bank.ts';
import { openLocal } from '../gateway/open-local.ts';
import { ownTimeMs } from '../waited-for-processor.ts';
import { startInverter } from './control-inverter.ts';
import { nobody, openDevices } from './controlled-devices.ts';

export const serial = 'ohm-0011223344556677';

const noUplink: Status['uplink'] = { connected: false, waiting: 0, bytes: 0, dropped: {}, thinned: 0 };

/** Leases last longer while others have the processor, so that a busy machine does not end them before a test has looked. */
export const patient = { now: ownTimeMs };

type Options = Partial<ControlDeps> & { dataDir?: string; harvestMs?: number; isConfirmed?: boolean };

/** A gateway in this process that controls one simulated inverter, until the test ends. */
export async function openControlled(t: TestContext, bank: Bank, options: Options = {}) {
  const controlled = await startControlled(bank, options);
  t.after(controlled.close);
  return controlled;
}

/** The same until it is closed; without a watchdog unless one is given. */
export async function startControlled(
  bank: Bank,
  { dataDir: given, harvestMs = 200, isConfirmed = true, ...changes }: Options = {},
) {
  const opened = new AsyncDisposableStack();
  const dataDir = given ?? opened.use(await mkdtempDisposable(join(tmpdir(), 'ohmstead-control-'))).path;
  const inverter = await startInverter(bank);
  const clock = systemClock;
  const { mount, call, log, lines } = openLocal();
  const { devices, buses, resolve } = await openDevices(dataDir, { harvestMs, log });
  const acks: (Ack & { topic: string })[] = [];
  const control = await openControl({
    serial,
    devices,
    addressOf: ({ kept }) =>
      resolveDeviceAddress(kept.connection, { resolve, connectDelayMs: bank.deafAfterConnectMs }),
    buses,
    publishAck: (topic, ack) => void acks.push({ topic, ...ack }),
    dataDir,
    leaseS: 300,
    clock,
    ...(changes.openWatchdog ? {} : { openWatchdog: () => nobody, monotonic: patient }), // a watchdog has the clock of the machine
    log,
    ...changes,
  });
  controlRoutes(mount, control);
  statusRoutes(mount, { uplink: () => noUplink, isClaimed: () => false, control, recentLog: () => [] });
  control.start();
  const device = await devices.add(inverter.connection);
  if (isConfirmed) await device.confirmControl(clock.now());

  return {
    dataDir,
    inverter,
    control,
    device,
    devices,
    acks,
    lines,
    post: (action: string, body?: object) => call(`POST /api/control/${device.sn}/${action}`, { body }),
    refused: async (): Promise<Status['refused']> => (await call('GET /api/status')).body.refused,
    /** A message on the control topic of a part. */
    command(kind: 'battery' | 'pv', payload: object | string, isRetained = false): void {
      const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
      control.onCommand(`control/${serial}/${kind}/${device.sn}/ems/commands`, Buffer.from(text), isRetained);
    },
    statusesOf: (id: string) => acks.filter(({ command_id }) => command_id === id).map(({ status }) => status),
    battery: () => [inverter.device.mode(), inverter.house().battery_W],
    async close(): Promise<void> {
      inverter.device.faults.clear();
      await control.close();
      await devices.close();
      await buses.close();
      await inverter.close();
      await opened.disposeAsync();
    },
  };
}

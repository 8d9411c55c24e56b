// A gateway that controls one device, as a process that tests kill and pause. Commands arrive from a broker, or it follows a plan. With
// `planted: 'no-watchdog'` it has the bug that the runs must notice.
import { flushCompileCache } from 'node:module';
import { connect } from 'mqtt';
import { openControl } from '#gateway/control/control.ts';
import type { Devices } from '#gateway/devices/devices.ts';
import { resolveDeviceAddress } from '#gateway/devices/resolve-address.ts';
import { createExecutor } from '#gateway/plan/executor.ts';
import { systemClock as clock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { nobody, openDevices } from './controlled-devices.ts';

export type GatewayOptions = {
  dataDir: string;
  serial: string;
  connection: Parameters<Devices['add']>[0];
  broker: string;
  /** charges or discharges by a plan, with leases of this length */
  plan?: { power_w: number; leaseMs: number };
  planted?: 'no-watchdog';
};

const { dataDir, serial, connection, broker, plan, planted } = JSON.parse(process.argv[2]!) as GatewayOptions;
const log = createLog({
  level: 'info',
  name: 'gateway',
  destination: { write: (line) => void process.stderr.write(line) },
});
const { devices, buses, resolve } = await openDevices(dataDir, { harvestMs: 300, log });
const client = connect(broker, { clientId: serial, reconnectPeriod: 300 });
const control = await openControl({
  serial,
  devices,
  addressOf: ({ kept }) => resolveDeviceAddress(kept.connection, { resolve }),
  buses,
  publishAck: (topic, ack) => void client.publish(topic, JSON.stringify(ack)),
  dataDir,
  leaseS: 300,
  ...(plan && { planLeaseMs: plan.leaseMs }),
  clock,
  ...(planted === 'no-watchdog' && { openWatchdog: () => nobody }),
  log,
});
control.start();
await devices.start();
if (devices.list().length === 0) await devices.add(connection);
while (!devices.list()[0]!.isConnected) await new Promise((done) => setTimeout(done, 20));

client.on('message', (topic, payload, { retain }) => control.onCommand(topic, payload, retain));
await client.subscribeAsync(`control/${serial}/+/+/ems/commands`, { qos: 1 });
if (plan) follow(plan.power_w);
process.on('SIGTERM', () => {
  void control.close().then(() => process.exit(0));
});
process.send?.({ sn: devices.list()[0]!.sn });
flushCompileCache(); // at the end would be too late

function follow(power_w: number): void {
  const now = clock.now();
  const hours = 3_600_000;
  const intent = {
    mode: power_w > 0 ? 'charge' : 'discharge',
    power_w: Math.abs(power_w),
    wh: power_w > 0 ? 10_000 : 0,
  } as const;
  const storage = { id: 'der', sn: devices.list()[0]!.sn, kind: 'battery', capacity_wh: 10_000 } as const;
  const held = {
    id: 'plan',
    made_at: now,
    ends_at: now + hours,
    window_s: 3600,
    utc_offset_s: 0,
    storages: [{ ...storage, min_wh: 0, max_wh: 10_000, charge_w: 5000, discharge_w: 5000 }],
    steps: [{ start: now - 1000, s: 3600, grid_w: 0, intents: { der: intent } }],
  };
  createExecutor({
    held: { current: () => held, refusal: () => undefined, isEnabled: () => true },
    devices: () => devices.list(),
    setpoints: control.plan,
    isTimeKnown: () => true,
    onChange: () => {},
    clock,
    log,
  }).start();
}

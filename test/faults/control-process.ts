// A gateway that controls one device, as a process that tests kill and pause. Commands arrive from a broker. With
// `planted: 'no-watchdog'` it has the bug that the runs must notice.
import { flushCompileCache } from 'node:module';
import { connect } from 'mqtt';
import { openControl } from '#gateway/control/control.ts';
import type { Devices } from '#gateway/devices/devices.ts';
import { resolveDeviceAddress } from '#gateway/devices/resolve-address.ts';
import { systemClock as clock } from '#lib/clock.ts';
import { createLog } from '#lib/log.ts';
import { nobody, openDevices } from './controlled-devices.ts';

export type GatewayOptions = {
  dataDir: string;
  serial: string;
  connection: Parameters<Devices['add']>[0];
  broker: string;
  planted?: 'no-watchdog';
};

const { dataDir, serial, connection, broker, planted } = JSON.parse(process.argv[2]!) as GatewayOptions;
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
process.on('SIGTERM', () => {
  void control.close().then(() => process.exit(0));
});
process.send?.({ sn: devices.list()[0]!.sn });
flushCompileCache(); // at the end would be too late

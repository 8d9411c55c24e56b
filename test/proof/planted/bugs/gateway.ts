import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bug, bugsIn } from '../bug.ts';

const leaseTest = 'gateway/control/lease.test.ts';
const controlFaultsTest = 'test/faults/control.test.ts';
const framingTest = 'gateway/links/modbus/framing.property.test.ts';

/** The gateway: its API, control, devices, links and outbox. */
export const gatewayBugs: readonly Bug[] = [
  ...bugsIn<typeof import('#gateway/access/door.ts')>('gateway/access/door.ts')({
    id: 'the gateway answers to any host name',
    proves: ['A59', 'S29'],
    replace: {
      createLocalDoor: (real) => (app, options) => {
        app.addHook('onRequest', async ({ headers }) => {
          headers.host = 'localhost';
        });
        return real.createLocalDoor(app, options);
      },
    },
    noticedBy: 'gateway/access/door.test.ts',
  }),
  ...bugsIn<typeof import('#gateway/access/targets.ts')>('gateway/access/targets.ts')({
    id: 'the gateway connects to any address',
    proves: ['A60', 'S30'],
    replace: { createTargets: (real) => (_setting, lookUp) => real.createTargets('*', lookUp) },
    noticedBy: 'gateway/access/targets.test.ts',
  }),
  ...bugsIn<typeof import('#gateway/system/factory-reset.ts')>('gateway/system/factory-reset.ts')({
    id: 'a factory reset leaves data behind',
    proves: ['A57'],
    replace: { finishReset: () => async () => true },
    noticedBy: 'gateway/system/factory-reset.test.ts',
  }),
  ...bugsIn<typeof import('#gateway/devices/device-files.ts')>('gateway/devices/device-files.ts')({
    id: 'a serial number is used as a file name',
    proves: ['A53'],
    replace: {
      openDeviceFiles: (real) => async (folder, log) => ({
        ...(await real.openDeviceFiles(folder, log)),
        save: (device) => writeFile(join(folder, `${device.sn}.json`), JSON.stringify(device)),
      }),
    },
    noticedBy: 'test/gateway/kept-devices.test.ts',
  }),
  ...bugsIn<typeof import('#gateway/registers/register-values.ts')>('gateway/registers/register-values.ts')({
    id: 'a register takes any number',
    proves: ['A62', 'A63'],
    replace: { wordOf: () => (_name, value) => Number(value) },
    noticedBy: 'test/gateway/writing-registers.test.ts',
  }),
  ...bugsIn<typeof import('#gateway/control/cloud-commands.ts')>('gateway/control/cloud-commands.ts')({
    id: 'a command holds from when it was received, not from when it was issued',
    proves: ['A36', 'S6'],
    replace: {
      parseCloudCommand: (real) => (payload, options) => {
        const command = real.parseCloudCommand(payload, options);
        return 'remainingMs' in command ? { ...command, remainingMs: 3_600_000 } : command;
      },
    },
    noticedBy: 'gateway/control/cloud-commands.test.ts',
  }),
  ...bugsIn<typeof import('#gateway/control/lease.ts')>('gateway/control/lease.ts')(
    {
      id: 'a lease never ends',
      proves: ['F23', 'S5'],
      replace: {
        Lease: (real) =>
          class extends real.Lease {
            override offer(...[command, ...rest]: Parameters<InstanceType<typeof real.Lease>['offer']>) {
              return super.offer({ ...command, endsAt: Number.MAX_SAFE_INTEGER }, ...rest);
            }
          },
      },
      noticedBy: leaseTest,
    },
    {
      id: 'an older command replaces a newer one',
      proves: ['F25', 'S6'],
      replace: {
        Lease: (real) =>
          class extends real.Lease {
            override offer(...[command, now]: Parameters<InstanceType<typeof real.Lease>['offer']>) {
              return super.offer({ ...command, issuedAt: now }, now);
            }
          },
      },
      noticedBy: leaseTest,
    },
  ),
  ...bugsIn<typeof import('#gateway/control/control-journal.ts')>('gateway/control/control-journal.ts')({
    id: 'a device that a killed process controlled is not released',
    proves: ['F24', 'S5'],
    replace: {
      createMarkers: (real) => (folder) => ({
        ...real.createMarkers(folder),
        load: async () => ({ markers: [], damaged: [] }),
      }),
    },
    noticedBy: controlFaultsTest,
  }),
  ...bugsIn<typeof import('#gateway/control/limits.ts')>('gateway/control/limits.ts')({
    id: 'a device is asked for more power than it has',
    proves: ['A63'],
    replace: { checkPower: () => () => {} },
    noticedBy: controlFaultsTest,
  }),
  ...bugsIn<typeof import('#gateway/control/control.ts')>('gateway/control/control.ts')({
    id: 'a gateway that stops does not release its devices',
    proves: ['F07', 'S5'],
    replace: {
      openControl: (real) => async (deps) => ({ ...(await real.openControl(deps)), close: async () => {} }),
    },
    noticedBy: controlFaultsTest,
  }),
  ...bugsIn<typeof import('#gateway/plan/targets.ts')>('gateway/plan/targets.ts')({
    id: 'a plan charges beyond the main fuse',
    proves: ['S43'],
    replace: { targetsOf: (real) => (situation) => real.targetsOf({ ...situation, fuse_A: undefined }) },
    noticedBy: 'gateway/plan/rule.test.ts',
  }),
  ...bugsIn<typeof import('#gateway/links/modbus/rtu-framing.ts')>('gateway/links/modbus/rtu-framing.ts')({
    id: 'the CRC of a serial line is not compared',
    proves: ['F20', 'S8'],
    replace: {
      RtuFraming: (real) =>
        class extends real.RtuFraming {
          override take(...[bytes, findings]: Parameters<InstanceType<typeof real.RtuFraming>['take']>) {
            const mended = Buffer.from(bytes);
            if (mended.length > 4) mended.writeUInt16LE(real.crc16(mended, 0, mended.length - 2), mended.length - 2);
            return super.take(mended, findings);
          }
        },
    },
    noticedBy: framingTest,
  }),
  ...bugsIn<typeof import('#gateway/links/modbus/pdu.ts')>('gateway/links/modbus/pdu.ts')({
    id: 'a Modbus answer of another length is read',
    proves: ['F19', 'S8'],
    replace: {
      readRequest: (real) => (table, address, count) => {
        const request = real.readRequest(table, address, count);
        return { ...request, decode: (bytes, at, end) => request.decode(bytes, at, end) ?? new Array(count).fill(0) };
      },
    },
    noticedBy: 'gateway/links/modbus/pdu.test.ts',
  }),
  ...bugsIn<typeof import('#gateway/links/mqtt/broker-client.ts')>('gateway/links/mqtt/broker-client.ts')({
    id: 'a broker that is gone is waited for without limit',
    proves: ['F16'],
    replace: {
      connectOnce: (real) => (url, options, maxBytes) =>
        real.connectOnce(url, { ...options, keepalive: 3000 }, maxBytes),
    },
    noticedBy: 'test/faults/wires.test.ts',
  }),
  ...bugsIn<typeof import('#gateway/profiles/mqtt-values.ts')>('gateway/profiles/mqtt-values.ts')({
    id: 'an old value counts as measured now',
    proves: ['F22', 'F26'],
    replace: { isFresh: () => () => true },
    noticedBy: 'gateway/profiles/ferroamp.test.ts',
  }),
  ...bugsIn<typeof import('#gateway/p1/crc16.ts')>('gateway/p1/crc16.ts')({
    id: 'the CRC of HDLC is not compared',
    proves: ['F21', 'S8'],
    replace: { hdlcCrc: () => (bytes, _from, to) => (bytes[to] ?? 0) | ((bytes[to + 1] ?? 0) << 8) },
    noticedBy: 'gateway/p1/damage.test.ts',
  }),
  ...bugsIn<typeof import('#gateway/uplink/outbox/sequence.ts')>('gateway/uplink/outbox/sequence.ts')({
    id: 'sequence numbers start again after a restart',
    proves: ['F03', 'S2'],
    replace: {
      openSequence: (real) => async (path, _least, log, makeRoom) => {
        await rm(path, { force: true });
        return real.openSequence(path, 1, log, makeRoom);
      },
    },
    noticedBy: 'gateway/uplink/outbox/sequence.test.ts',
  }),
  ...bugsIn<typeof import('#gateway/uplink/outbox/segment.ts')>('gateway/uplink/outbox/segment.ts')({
    id: 'samples are dropped when the machine has no file handles left',
    proves: ['F09'],
    replace: { isDamage: () => () => true },
    noticedBy: 'gateway/uplink/outbox/unreadable.test.ts',
  }),
  ...bugsIn<typeof import('#gateway/uplink/publisher.ts')>('gateway/uplink/publisher.ts')({
    id: 'a backlog of a month takes more than an hour to send',
    proves: ['F27'],
    replace: {
      createPublisher: (real) => (deps) =>
        real.createPublisher({ ...deps, limits: { ...deps.limits, maxPerSecond: 1700 } }),
    },
    noticedBy: 'gateway/uplink/publisher.test.ts',
  }),
];

import type { Evidence } from './attacks.ts';

/** Faults that are survived. */
export const faults: Readonly<Record<string, Evidence>> = {
  F01: {
    promise: 'A platform that is killed while it stores has everything it acknowledged, once.',
    tests: [
      'test/faults/kill-platform.test.ts',
      'cloud/store/telemetry/kill.long.test.ts',
      'cloud/telemetry/ingest.test.ts',
      'cloud/broker/embedded/publish.test.ts',
    ],
  },
  F02: {
    promise: 'A broker that is killed, even one that acknowledged too early, costs no reading.',
    tests: [
      'cloud/commands/tracking.test.ts',
      'cloud/broker/rabbitmq.test.ts',
      'gateway/uplink/uplink.test.ts',
      'test/faults/kill-gateway.long.test.ts',
      'test/faults/cluster.long.test.ts',
    ],
  },
  F03: {
    promise: 'A gateway that is killed keeps its outbox and never reuses a sequence number.',
    tests: [
      'test/faults/kill-gateway.long.test.ts',
      'gateway/uplink/outbox/outbox.test.ts',
      'gateway/uplink/outbox/sequence.test.ts',
    ],
  },
  F04: {
    promise: 'A request that a kill interrupted is repeated with its key and creates one object.',
    tests: ['test/faults/kill-mid-write.long.test.ts', 'cloud/access/idempotency.test.ts'],
  },
  F05: {
    promise: 'Without PostgreSQL the platform answers 503 with Retry-After, and recovers when the database does.',
    tests: [
      'cloud/telemetry/ingest.test.ts',
      'cloud/operations/operations.test.ts',
      'cloud/broker/rabbitmq.test.ts',
      'cloud/broker/rabbitmq/ingest.test.ts',
      'test/faults/kill-postgresql.long.test.ts',
    ],
  },
  F06: {
    promise: 'When everything is killed at once, the parts recover in any order.',
    tests: ['test/faults/kill-postgresql.long.test.ts', 'lib/folder-lock.test.ts'],
  },
  F07: {
    promise: 'A busy program that is asked to stop does so in time and has stored what it acknowledged.',
    tests: [
      'test/faults/drain.test.ts',
      'test/stack/up.test.ts',
      'test/faults/control.test.ts',
      'cloud/broker/embedded/drain.test.ts',
      'test/faults/rolling-update.long.test.ts',
    ],
  },
  F08: {
    promise:
      'With a full disk the outbox thins out, nothing unstored is acknowledged, and all recovers when there is space.',
    tests: [
      'test/faults/full-disk.test.ts',
      'test/faults/full-disk-platform.test.ts',
      'cloud/telemetry/ingest.test.ts',
      'cloud/store/group-commit.test.ts',
    ],
  },
  F09: {
    promise: 'Without file handles or a writable folder the rest continues, and the fault is reported.',
    tests: [
      'test/faults/scarce.test.ts',
      'test/faults/closed-folder.test.ts',
      'gateway/identity/identity.test.ts',
      'lib/atomic-file.test.ts',
      'gateway/uplink/outbox/unreadable.test.ts',
    ],
  },
  F10: {
    promise:
      'After a power cut settings are old or new, the key is the same, and everything reported as stored is there.',
    tests: [
      'gateway/uplink/outbox/power-cut.test.ts',
      'test/gateway/power-cut.long.test.ts',
      'lib/atomic-file.test.ts',
    ],
  },
  F11: {
    promise: 'Damage to a file is detected and reported, and costs no more than the damaged part.',
    tests: [
      'test/faults/corruption.test.ts',
      'test/gateway/damaged-files.test.ts',
      'gateway/uplink/outbox/segment.test.ts',
      'gateway/uplink/outbox/unreadable.test.ts',
    ],
  },
  F12: {
    promise: 'A clock that jumps moves no lease, loses no sample, and breaks neither platform nor prices.',
    tests: [
      'test/faults/clock-jumps.test.ts',
      'gateway/uplink/outbox/age.test.ts',
      'gateway/uplink/trusted-time.test.ts',
      'cloud/store/telemetry/wrong-clock.test.ts',
      'cloud/store/telemetry/arrivals.test.ts',
      'cloud/commands/commands.test.ts',
      'cloud/telemetry/ingest.test.ts',
    ],
  },
  F13: {
    promise: 'Days have 23, 24 or 25 hours as the time zone says; an hour that occurs twice means the first.',
    tests: [
      'price/total/segments.test.ts',
      'price/tariffs/local-time.test.ts',
      'test/price/two-years.test.ts',
      'test/price/total.test.ts',
    ],
  },
  F14: {
    promise: 'When a price source fails or sends wrong data, the last good day stays and the next source is tried.',
    tests: ['price/electricity/open-prices.test.ts', 'price/electricity/source-chain.test.ts'],
  },
  F15: {
    promise: 'Duplicates and disorder produce the same history as a clean run.',
    tests: ['test/faults/shuffled.test.ts', 'cloud/store/telemetry/telemetry-store.test.ts'],
  },
  F16: {
    promise: 'A half-open connection is detected and replaced.',
    tests: [
      'test/faults/wires.test.ts',
      'test/faults/kill-gateway.long.test.ts',
      'gateway/uplink/session.test.ts',
      'test/gateway/faults.test.ts',
      'cloud/broker/embedded/subscribe.test.ts',
      'gateway/links/modbus/buses.test.ts',
    ],
  },
  F17: {
    promise: 'Single bytes, delays and slow connections change no value.',
    tests: [
      'test/faults/wires.test.ts',
      'test/faults/chaos-proxy.test.ts',
      'cloud/broker/embedded/publish-lane.test.ts',
      'gateway/links/modbus/framing.property.test.ts',
    ],
  },
  F18: {
    promise: 'Gateways that reconnect all at once are back soon and lose nothing.',
    tests: ['test/faults/storm.long.test.ts', 'lib/retry.test.ts'],
  },
  F19: {
    promise: 'A faulty Modbus device costs its own values only, in time, and never produces a wrong one.',
    tests: [
      'gateway/links/modbus/hostile.test.ts',
      'gateway/links/modbus/buses.test.ts',
      'test/gateway/faults.test.ts',
    ],
  },
  F20: {
    promise: 'Noise, echoes and damage on a serial line produce no value, and the line resynchronises.',
    tests: ['gateway/links/modbus/rtu.test.ts', 'gateway/links/modbus/framing.property.test.ts'],
  },
  F21: {
    promise: 'A damaged telegram produces no value, and the next good one is read.',
    tests: ['gateway/p1/damage.test.ts', 'gateway/p1/failed-frames.test.ts'],
  },
  F22: {
    promise: "Messages that a device's broker retained do not count as fresh.",
    tests: ['gateway/links/mqtt/link.test.ts'],
  },
  F23: {
    promise: 'A command that is not renewed ends by itself, which is read back from the device.',
    tests: ['test/faults/control.test.ts', 'gateway/control/lease.test.ts'],
  },
  F24: {
    promise: 'Whichever part of the gateway dies or hangs, the inverter is back in its own mode in time.',
    tests: ['test/faults/control-kill.long.test.ts', 'test/faults/control.test.ts'],
  },
  F25: {
    promise:
      'Repeated, late, expired, conflicting and refused commands do no harm, and everything is released in the end.',
    tests: [
      'gateway/control/lease.test.ts',
      'gateway/control/device-control.test.ts',
      'test/faults/control.test.ts',
      'test/faults/control-refused.test.ts',
    ],
  },
  F26: {
    promise: 'Control ends when the data of the device goes stale.',
    tests: ['test/faults/control.test.ts', 'gateway/devices/modbus-driver.test.ts'],
  },
  F27: {
    promise:
      'A week offline loses no sample, minute means are kept for a month, and all is sent within an hour, live data first.',
    tests: [
      'gateway/uplink/publisher.test.ts',
      'test/faults/outbox-drained.test.ts',
      'test/faults/week-offline.test.ts',
      'gateway/uplink/outbox/age.test.ts',
      'gateway/uplink/uplink.test.ts',
    ],
  },
  F28: {
    promise: 'Queues are bounded: a slow reader or fast sender costs the others nothing.',
    tests: [
      'lib/http/sse.test.ts',
      'cloud/broker/embedded/subscribe.test.ts',
      'cloud/broker/embedded/publish.test.ts',
      'gateway/home-assistant/session.test.ts',
    ],
  },
  F29: {
    promise: 'A migration that is killed is continued by the next start; a newer database is left alone.',
    tests: ['cloud/store/migrate.test.ts', 'test/faults/kill-migration.test.ts', 'cloud/store/store.test.ts'],
  },
  F30: {
    promise: 'A message that can never be stored is set aside and counted, and the others continue.',
    tests: ['cloud/broker/rabbitmq.test.ts', 'cloud/telemetry/ingest.test.ts'],
  },
  F31: {
    promise:
      'When the PostgreSQL primary dies and its synchronous standby is promoted, the platform continues there with everything it acknowledged.',
    tests: ['test/faults/standby.test.ts', 'cloud/store/primary.test.ts'],
  },
  F32: {
    promise:
      'Readings reach viewers and members of every process, and a command the process of its gateway; without RabbitMQ, readings are stored.',
    tests: [
      'cloud/broker/cluster.test.ts',
      'cloud/broker/cluster/interests.test.ts',
      'test/faults/rolling-update.long.test.ts',
    ],
  },
};

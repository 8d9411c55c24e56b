import type { DeviceListing } from '#contract/cloud/devices.ts';
import type { GatewayDetails } from '#contract/cloud/gateways.ts';
import type { NearbyGateway } from '#contract/cloud/nearby.ts';
import { derKindOf } from '#contract/der.ts';
import type { ManagedDevice } from '#contract/manage.ts';
import type { ProblemCode } from '#contract/problem.ts';
import { isStaleAt, minuteMs } from '#contract/time.ts';

/** Why a device shows no current values. `waiting` means that nothing is wrong so far. */
export type Trouble =
  | 'released'
  | 'neverConnected'
  | 'offline'
  | 'clock'
  | 'elsewhere'
  | 'noBroker'
  | 'refused'
  | 'managementOff'
  | 'unanswered'
  | 'notRead'
  | 'notAnswering'
  | 'notSending'
  | 'rejected'
  | 'waiting';

/** Facts about a device and its gateway; undefined is unknown. */
export type Known = {
  device: Pick<DeviceListing, 'state' | 'hardware_id' | 'ders'>;
  /** time of its newest reading, ms */
  seenMs: number | undefined;
  /** null if the gateway does not belong to the organization any more */
  gateway: Pick<GatewayDetails, 'online' | 'last_seen' | 'dropped'> | null;
  nearby?: Pick<NearbyGateway, 'state' | 'connected' | 'broker' | 'clock_ahead_s'> | undefined;
  managed?: readonly Pick<ManagedDevice, 'sn' | 'connected' | 'ders'>[] | undefined;
  /** why the gateway does not tell what it reads */
  refusal?: ProblemCode | undefined;
  nowMs: number;
};

const maxClockErrorMs = 10 * minuteMs;

/** Returns the first reason that explains why a device has no current values, or undefined if it has some. */
export function troubleOf(known: Known): Trouble | undefined {
  const { device, seenMs, gateway, nowMs } = known;
  if (device.state === 'orphaned' || gateway === null) return 'released';
  if (!isStaleAt(seenMs, nowMs)) return undefined;
  return gateway.online ? troubleOfDevice(known, gateway.dropped) : troubleOfGateway(known, gateway.last_seen);
}

function troubleOfGateway({ nearby }: Known, lastSeen: string | null): Trouble {
  if (!nearby) return lastSeen === null ? 'neverConnected' : 'offline';
  if (Math.abs(nearby.clock_ahead_s) * 1000 > maxClockErrorMs) return 'clock';
  if (nearby.connected) return 'elsewhere';
  return nearby.broker ? 'refused' : 'noBroker';
}

function troubleOfDevice({ device, managed, refusal, nowMs }: Known, dropped: GatewayDetails['dropped']): Trouble {
  if (refusal === 'management_refused') return 'managementOff';
  if (refusal !== undefined) return 'unanswered';
  if (!managed) return 'waiting';
  const entry = managed.find(({ sn }) => sn === device.hardware_id);
  if (!entry) return 'notRead';
  if (!entry.connected) return 'notAnswering';
  const kinds = device.ders.map(({ type }) => derKindOf[type]);
  const sent = entry.ders.filter(({ type, enabled }) => enabled && kinds.includes(type));
  if (sent.length === 0) return 'notSending';
  const times = sent.flatMap(({ latest }) => latest?.timestamp ?? []);
  if (times.some((at) => Math.abs(at - nowMs) > maxClockErrorMs)) return 'clock';
  const { before_claim: _, not_provisioned: __, ...lasting } = dropped; // normal while a home is set up
  return Object.keys(lasting).length > 0 ? 'rejected' : 'waiting';
}

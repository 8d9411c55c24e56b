import type { Command } from '../cloud/commands.ts';
import type { DeviceState } from '../cloud/devices.ts';
import type { DerTypeId } from '../der.ts';
import type { DerKind } from '../gateway/reading.ts';
import { Problem } from '../problem.ts';
import type { FieldName } from '../telemetry.ts';
import type { ServerEvent } from './event-parser.ts';

/** A reading with what it belongs to. What was not measured is not there. */
export type SiteReading = Partial<Record<FieldName, number>> & {
  type: DerKind;
  /** when it was measured, ms */
  timestamp: number;
  site_id: string;
  device_id: string;
  der_id: string;
  der_name: string;
  der_type: DerTypeId;
  [field: string]: unknown;
};

type NamedEvent =
  | { type: 'device'; data: { device_id: string; state: DeviceState } }
  | { type: 'gateway'; data: { gateway_serial: string; online: boolean } }
  | { type: 'command'; data: Command }
  /** what came in between is no longer known; the latest of every DER follows */
  | { type: 'gap' };

/** What the stream of a site tells. */
export type SiteEvent =
  | { type: 'reading'; id: string; reading: SiteReading }
  | NamedEvent
  /** told at every opening: of the time before it only readings are told again, so look anew at all else */
  | { type: 'connected' }
  /** told once, when the connection is lost or cannot be made; the stream goes on trying */
  | { type: 'disconnected'; error: Problem };

const named: readonly string[] = ['device', 'gateway', 'command', 'gap'] satisfies NamedEvent['type'][];

/** Undefined for an event of a newer platform. */
export function siteEventOf({ name, id = '', data }: ServerEvent): SiteEvent | undefined {
  if (name === '' || name === 'message') return { type: 'reading', id, reading: parseData(data) as SiteReading };
  if (name === 'gap') return { type: 'gap' };
  return named.includes(name) ? ({ type: name, data: parseData(data) } as NamedEvent) : undefined;
}

export function parseData(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Problem('unavailable', 'The platform sent an event that is not JSON.', {}, { cause });
  }
}

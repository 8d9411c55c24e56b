import type { ConnectionType, LocalDeviceType } from '#contract/gateway/connections.ts';
import type { DerKind, DerValues } from '#contract/gateway/reading.ts';
import type { ReadRegisters } from '../links/modbus/unit.ts';
import type { MqttMessage } from '../links/mqtt/link.ts';

const spokenWithVowel = /^([AEIOU]|SMA|SAJ)/;

/** Makes the error for a device that does not match this profile, with what was found. */
export function notThisDevice({ display_name }: { display_name: string }, finding: string): NotThisDevice {
  const article = spokenWithVowel.test(display_name) ? 'an' : 'a';
  return new NotThisDevice(`This is not ${article} ${display_name}: ${finding}.`);
}

/** How reliable a statement about a device is: two independent sources or a capture; one source; uncertain. */
export type Confidence = 'high' | 'medium' | 'low';

export type ProfileInfo = {
  profile: string;
  display_name: string;
  make: string;
  device_type: LocalDeviceType;
  /** lists MQTT storage under batteries in the newer form of the local API */
  category?: 'battery';
  connection_types: readonly ConnectionType[];
  /** all kinds that a device of this family can have */
  kinds: readonly DerKind[];
  /** origin of the information in the profile */
  sources: readonly string[];
};

/** Thrown when a device answers but does not match the profile. The message is a sentence for the installer. */
export class NotThisDevice extends Error {
  override name = 'NotThisDevice';
}

/** Ratings are read once, and absent if the device does not report them. */
export type Rated = Partial<Record<'rated_power_W' | 'battery_rated_power_W' | 'capacity_Wh', number>>;

/** The result of recognising a device; valid until the connection is lost. */
export type RecognisedDevice = Rated & {
  serial: string | undefined;
  make: string;
  model?: string;
  /** high: the device identified itself; medium: a serial number was found; low: its values are plausible */
  certainty?: Confidence;
  ders: readonly DerKind[];
  harvest(): Promise<DerValues>;
};

/** Other ports and unit ids of the family, and the names by which it identifies itself. */
type Hints = {
  ports?: readonly number[];
  unit_ids?: readonly number[];
  /** matches the vendor name of function code 43 */
  vendor?: RegExp;
  /** matches the manufacturer in the SunSpec common model */
  sunspec?: RegExp;
};

export type ModbusProfile = ProfileInfo & {
  /** factory settings */
  defaults: { port: number; unit_id: number };
  /** pause that the device needs between connecting and the first request */
  connectDelayMs?: number;
  hints?: Hints;
  /** Recognises the device, once per connection; throws NotThisDevice if it is another one. */
  recognise(read: ReadRegisters): Promise<RecognisedDevice>;
};

/** Collects the messages of one device into readings. */
export type MqttListener = {
  /** Handles a message and ignores foreign ones; returns true when it completes a new reading. */
  handle(message: MqttMessage): boolean;
  /** Returns the values that are fresh at this time; undefined without any. */
  read(now: number): DerValues | undefined;
  /** Returns when the power of this kind was measured, in ms: the time of its newest message. */
  at(kind: DerKind, now: number): number | undefined;
  /** Returns undefined until the device has reported its serial number. */
  serial(): string | undefined;
  rated(): Rated;
};

export type MqttProfile = ProfileInfo & {
  subscribe: readonly string[];
  /** silence after which the device is considered lost */
  staleAfterMs: number;
  /** how long to wait for the serial number after the first power, for devices that send it in a separate message */
  serialWithinMs?: number;
  listen(): MqttListener;
};

import type { DerKind, DerValues } from '#contract/gateway/reading.ts';
import type { MqttMessage } from '../links/mqtt/message.ts';
import type { ProfileInfo } from './profile.ts';

/** What the messages of one device add up to. */
export type MqttListener = {
  /** Takes a message; true when it completes a new reading. Anything else than a message of the device is passed over. */
  take(message: MqttMessage): boolean;
  /** The values that are fresh at this time; undefined when there are none. */
  read(now: number): DerValues | undefined;
  /** ms; when the power that `read` gives for this kind was measured, which is the time of its newest message */
  at(kind: DerKind, now: number): number | undefined;
  /** known once the device has told it */
  serial(): string | undefined;
  rated(): { rated_power_W?: number; battery_rated_power_W?: number; capacity_Wh?: number };
  /** messages that said nothing usable */
  passedOver(): number;
};

export type MqttProfile = ProfileInfo & {
  subscribe: readonly string[];
  /** silence after which the device counts as lost */
  staleAfterMs: number;
  /** how long after its first power such a device may tell its serial number, when that comes in a message of its own */
  serialWithinMs?: number;
  listen(): MqttListener;
};

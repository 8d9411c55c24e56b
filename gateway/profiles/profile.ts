import type { ConnectionType, LocalDeviceType } from '#contract/gateway/connections.ts';
import type { DerKind } from '#contract/gateway/reading.ts';

/** How well a statement about a device is known: two independent sources or a capture; one source; unsure. */
export type Confidence = 'high' | 'medium' | 'low';

/** What every profile says of itself. */
export type ProfileInfo = {
  profile: string;
  display_name: string;
  make: string;
  device_type: LocalDeviceType;
  /** storage that speaks MQTT is listed among the batteries in the later form */
  category?: 'battery';
  connection_types: readonly ConnectionType[];
  /** the kinds that such a device can have */
  kinds: readonly DerKind[];
  /** where the statements of this file come from */
  sources: readonly string[];
};

/** The device answers, but it is not what the profile describes. The message is a sentence for the installer. */
export class NotThisDevice extends Error {
  override name = 'NotThisDevice';
}

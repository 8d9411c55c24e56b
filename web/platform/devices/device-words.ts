import { type DeviceTypeId, publicDeviceTypes } from '#contract/der.ts';
import { translated } from '../../parts/text.ts';

/** Names a type of device; the English names are those of the contract. */
export const deviceTypeWords = (type: DeviceTypeId): string =>
  translated(publicDeviceTypes.find(({ id }) => id === type)?.display_name ?? type);

import { type DeviceTypeId, publicDeviceTypes } from '#contract/der.ts';
import { language } from '../../parts/text.ts';

const swedish: Record<DeviceTypeId, string> = {
  inverter: 'Växelriktare',
  battery: 'Batteri',
  ev_charger: 'Laddbox',
  v2x_charger: 'Tvåvägsladdbox',
  energy_meter: 'Elmätare',
  meter: 'Undermätare',
};

/** Names a type of device; the English names are those of the contract. */
export const deviceTypeWords = (type: DeviceTypeId): string =>
  (language.value === 'sv' ? swedish[type] : publicDeviceTypes.find(({ id }) => id === type)?.display_name) ?? type;

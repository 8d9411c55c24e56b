import { type DeviceTypeId, publicDeviceTypes } from '#contract/der.ts';
import { texts } from '../../parts/text.ts';

export const deviceTypeWords = texts({
  en: Object.fromEntries(publicDeviceTypes.map(({ id, display_name }) => [id, display_name])) as Record<
    DeviceTypeId,
    string
  >,
  sv: {
    inverter: 'Växelriktare',
    battery: 'Batteri',
    ev_charger: 'Laddbox',
    v2x_charger: 'Tvåvägsladdbox',
    energy_meter: 'Elmätare',
    meter: 'Undermätare',
  },
});

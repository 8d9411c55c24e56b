import type { ProfileInfo } from './profile.ts';

/** Any smart meter with a customer port (P1/HAN); its protocol is detected from the data that it sends. */
export const p1Meter: ProfileInfo = {
  profile: 'p1_meter',
  display_name: 'P1/HAN smart meter',
  make: 'P1 meter',
  device_type: 'energy_meter',
  connection_types: ['p1_uart'],
  kinds: ['meter'],
  sources: ['DSMR P1 companion standard', 'IEC 62056-21, 62056-46 and 62056-6-1', 'EN 13757-2 and -3'],
};

import type { LineSettings } from '../links/serial-line.ts';

/** What meters speak, in the order in which an unknown line is tried. */
export const p1LineSettings: readonly LineSettings[] = [
  { baudRate: 2400, dataBits: 8, parity: 'none', stopBits: 1 }, // Kamstrup HAN, M-Bus customer ports of Austria
  { baudRate: 2400, dataBits: 8, parity: 'even', stopBits: 1 }, // Aidon and Kaifa HAN
  { baudRate: 9600, dataBits: 7, parity: 'even', stopBits: 1 }, // DSMR 2.2 and 3
  { baudRate: 115_200, dataBits: 8, parity: 'none', stopBits: 1 }, // DSMR 4 and 5, and what follows it
];

/** Without a good frame for so long, the next settings are to be tried and the format is no longer known. */
export const patienceMs = 30_000;

import { hash } from 'node:crypto';

/** The name of a file about one device: a serial may hold anything, so its hash stands for it. */
export const fileNameOf = (sn: string): string => `${hash('sha256', sn).slice(0, 16)}.json`;

export const isOfDevice = (fileName: string): boolean => /^[0-9a-f]{16}\.json$/.test(fileName);

import { createCrc16 } from '../links/crc16.ts';

/** The CRC after the exclamation mark of a telegram. */
export const telegramCrc = createCrc16({ polynomial: 0xa001, start: 0, finalXor: 0 });

/** HCS and FCS of an HDLC frame. */
export const hdlcCrc = createCrc16({ polynomial: 0x8408, start: 0xffff, finalXor: 0xffff });

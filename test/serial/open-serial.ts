import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { autoDetect } from '@serialport/bindings-cpp';
import { SerialPortStream } from '@serialport/stream';

export type SerialLine = {
  path: string;
  baudRate: number;
  dataBits?: 7 | 8;
  parity?: 'none' | 'even';
};

/** The far end of a serial line. */
export async function openSerial({ path, baudRate, dataBits = 8, parity = 'none' }: SerialLine): Promise<{
  stream: Duplex;
  close(): Promise<void>;
}> {
  const port = new SerialPortStream({ binding: autoDetect(), path, baudRate, dataBits, parity, autoOpen: false });
  await promisify(port.open.bind(port))();
  return {
    stream: port,
    async close() {
      if (port.isOpen) await promisify(port.close.bind(port))();
    },
  };
}

import { tcpEndpoint } from '../links/serial-line.ts';
import { checkSerialPath } from './serial-path.ts';

/** A serial line as it is; of an adapter in the network with the address in place of its name. */
export async function resolveLine(line: string, resolve: (host: string) => Promise<string>): Promise<string> {
  const adapter = tcpEndpoint(line);
  if (!adapter) {
    await checkSerialPath(line);
    return line;
  }
  const address = await resolve(adapter.host);
  return `tcp://${address.includes(':') ? `[${address}]` : address}:${adapter.port}`;
}

import { type Client, createClient } from '#contract/client.ts';
import { getCrypto } from '#contract/gateway/identity.ts';
import { getSystem } from '#contract/gateway/system.ts';
import { PageProblem } from '../../parts/problem-words.ts';
import { readStored, store } from '../../parts/storage.ts';
import { texts } from '../../parts/text.ts';
import { explaining } from '../explain.ts';
import { defaultAddress, parseAddress } from './local-address.ts';

const t = texts({
  malformed: 'This is not a valid gateway address. Examples: http://localhost:8081 or http://zap-ohm-1234.local:8081.',
  'not-nearby':
    'This page can only reach gateways at http://localhost or at a name ending in .local. Use the .local name, or enter the details manually.',
  mixed:
    'An https page cannot reach a gateway over http. Open this page on the gateway’s own computer, or enter the details manually.',
  unavailable:
    'No answer from a gateway at {url}. Check the address and that you are on the same network. If the browser asks for access to the local network, allow it. The gateway’s CLOUD_URL setting must be {origin}.',
  not_found: 'The server at {url} is not a gateway. Check the address and its port.',
  unauthenticated: 'This gateway requires its local token. You find it in the file local-token in its data folder.',
  rate_limited: 'The gateway signs at most six times per minute. Wait a minute and try again.',
});

export type LocalGateway = Pick<Client, 'call'> & { url: string; serial: string; publicKey: string; name: string };

const addressKey = (serial: string): string => `gateway.${serial}`;
const lastAddressKey = 'gateway';

/** Returns the last known address of this gateway, or of any gateway. */
export const lastAddress = (serial?: string): string =>
  (serial && readStored(addressKey(serial))) || readStored(lastAddressKey) || defaultAddress;

/** Connects to the gateway at an address and remembers the address. Its failures are explained. */
export async function findGateway(address: string, token: string): Promise<LocalGateway> {
  const read = parseAddress(address, location);
  if (!read.isUsable) throw new PageProblem('invalid_request', t(read.reason));
  const { url } = read;
  const client = createClient({ baseUrl: url, ...(token && { token }) });
  const call: Client['call'] = (...asked) => explaining(client.call(...asked), t, { url, origin: location.origin });
  const [{ serialNumber: serial, publicKey, deviceName }, { gateway_info }] = await Promise.all([
    call(getCrypto),
    call(getSystem),
  ]);
  const name: string = gateway_info?.name ?? deviceName; // gateways before 0.2 have no display name
  store(lastAddressKey, url);
  store(addressKey(serial), url);
  return { url, call, serial, publicKey, name };
}

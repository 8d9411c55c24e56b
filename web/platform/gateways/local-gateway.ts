import { type Client, createClient } from '#contract/client.ts';
import { getCrypto } from '#contract/gateway/identity.ts';
import { getSystem } from '#contract/gateway/system.ts';
import { Problem } from '#contract/problem.ts';
import { PageProblem } from '../../parts/problem-words.ts';
import { readStored, store } from '../../parts/storage.ts';
import { texts } from '../../parts/text.ts';
import { readAddress, usualAddress } from './local-address.ts';

const t = texts({
  en: {
    malformed: 'This is no address of a gateway; one is http://localhost:8081 or http://zap-ohm-1234.local:8081.',
    'not-nearby':
      'This page may ask only gateways at http://localhost or at a name that ends in .local. Use its .local name, or go on by hand.',
    mixed:
      'A page of https may not ask a gateway in the network over http. Open this page on the machine of the gateway, or go on by hand.',
    silent:
      'No gateway let this page in at {url}. Is the address right, and is this device in the same network? When the browser asks whether this page may reach the local network, allow it. And the gateway answers only to the page of its own platform: its setting CLOUD_URL must be {origin}.',
    guarded: 'This gateway signs only with its local token; it is in the file local-token of its data folder.',
    often: 'The gateway signs six times a minute at most. Wait a minute, then ask again.',
  },
  sv: {
    malformed:
      'Det är ingen adress till en gateway; en sådan är http://localhost:8081 eller http://zap-ohm-1234.local:8081.',
    'not-nearby':
      'Sidan får bara fråga gateways på http://localhost eller med ett namn som slutar på .local. Använd dess .local-namn, eller fortsätt för hand.',
    mixed:
      'En sida med https får inte fråga en gateway i nätet över http. Öppna sidan på gatewayens egen maskin, eller fortsätt för hand.',
    silent:
      'Ingen gateway släppte in sidan på {url}. Stämmer adressen, och är du i samma nät? Om webbläsaren frågar om sidan får nå det lokala nätet, tillåt det. Gatewayen svarar dessutom bara sin egen plattforms sida: dess inställning CLOUD_URL ska vara {origin}.',
    guarded:
      'Den här gatewayen skriver bara under med sin lokala token; den finns i filen local-token i dess datamapp.',
    often: 'Gatewayen skriver under högst sex gånger i minuten. Vänta en minut och fråga igen.',
  },
});

export type LocalGateway = { url: string; api: Client; serial: string; publicKey: string; name: string };

const addressOf = (serial: string): string => `gateway.${serial}`;
const last = 'gateway';

/** Where this gateway, or else the last one, was found. */
export const knownAddress = (serial?: string): string =>
  (serial && readStored(addressOf(serial))) || readStored(last) || usualAddress;

/** Finds the gateway at an address, and remembers where it is. */
export async function findGateway(address: string, token: string): Promise<LocalGateway> {
  const read = readAddress(address, location);
  if (!read.isUsable) throw new PageProblem('invalid_request', t(read.reason));
  const { url } = read;
  const api = createClient({ baseUrl: url, ...(token && { token }) });
  const [{ serialNumber: serial, publicKey, deviceName }, { gateway_info }] = await inTheHouse(
    url,
    Promise.all([api.call(getCrypto), api.call(getSystem)]),
  );
  const name: string = gateway_info?.name ?? deviceName; // gateways before 0.2 have no display name
  store(last, url);
  store(addressOf(serial), url);
  return { url, api, serial, publicKey, name };
}

/** A question to a gateway, whose silence has other reasons than that of a platform. */
export const inTheHouse = <Answer>(url: string, question: Promise<Answer>): Promise<Answer> =>
  question.catch((cause: unknown) => {
    if (!(cause instanceof Problem)) throw cause;
    const { code, details } = cause;
    const values = { url, origin: location.origin };
    if (code === 'unavailable') throw new PageProblem(code, t('silent', values), details, { cause });
    if (code === 'unauthenticated') throw new PageProblem(code, t('guarded'), details, { cause });
    if (code === 'rate_limited') throw new PageProblem(code, t('often'), details, { cause });
    throw cause;
  });

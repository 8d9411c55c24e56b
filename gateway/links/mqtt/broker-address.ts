/** The address of a broker. `shown` has no password and is safe to log. */
export type BrokerAddress = { url: string; shown: string; username?: string; password?: string };

const protocols = ['mqtt:', 'mqtts:', 'ws:', 'wss:'];
const otherNames: Record<string, string> = { 'tcp:': 'mqtt:', 'ssl:': 'mqtts:', 'tls:': 'mqtts:' };

/** Reads `mqtts://broker.example:8883`, `ssl://broker.example` or `broker.local:1883`. */
export function readBrokerUrl(text: string): URL | null {
  const url = URL.parse(text.includes('://') ? text : `mqtt://${text}`);
  if (url) url.protocol = otherNames[url.protocol] ?? url.protocol;
  return url;
}

/** Parses a connection string such as `wss://user:password@broker.example/mqtt`; throws when it is invalid. */
export function parseBrokerAddress(text: string): BrokerAddress {
  const url = readBrokerUrl(text);
  if (!url || !protocols.includes(url.protocol) || url.hostname === '') {
    throw new Error('A broker address starts with mqtt://, mqtts://, ws:// or wss:// and names a host.');
  }
  const username = decoded(url.username);
  const password = decoded(url.password);
  const shown = `${url.protocol}//${url.host}`;
  url.username = '';
  url.password = '';
  return { url: url.href, shown, ...(username && { username, password }) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new Error('Write % as %25 in the user name and password of a broker.', { cause });
  }
}

/** Where a broker is. `shown` is safe to log. */
export type BrokerAddress = { url: string; shown: string; username?: string; password?: string };

const protocols = ['mqtt:', 'mqtts:', 'ws:', 'wss:'];
const otherNames: Record<string, string> = { 'tcp:': 'mqtt:', 'ssl:': 'mqtts:', 'tls:': 'mqtts:' };

/** As a connection string names it: `mqtts://broker.example:8883`, `ssl://broker.example`, `broker.local:1883`. */
export function readBrokerUrl(text: string): URL | null {
  const url = URL.parse(text.includes('://') ? text : `mqtt://${text}`);
  if (url) url.protocol = otherNames[url.protocol] ?? url.protocol;
  return url;
}

/** A connection string: `mqtts://broker.example:8883`, `wss://user:password@broker.example/mqtt`, `broker.local:1883`. */
export function parseBrokerAddress(text: string): BrokerAddress {
  const url = readBrokerUrl(text);
  if (!url || !protocols.includes(url.protocol) || url.hostname === '') {
    throw new Error('A broker is named by mqtt://, mqtts://, ws:// or wss:// and its host.');
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
    throw new Error('In the user name and the password of a broker a % is written as %25.', { cause });
  }
}

/** Address of a gateway on the local network. */
export type LocalAddress =
  | { isUsable: true; url: string }
  /** not an address; blocked by the page's policy, which allows localhost and .local; http from an https page */
  | { isUsable: false; reason: 'malformed' | 'not-nearby' | 'mixed' };

const localHosts = ['localhost', '127.0.0.1'];

/** Parses a typed address; a missing port means the default port. */
export function parseAddress(text: string, page: { protocol: string }): LocalAddress {
  const given = text.trim();
  const address = /^\w+:\/\//.test(given) ? given : `http://${given}`;
  const url = URL.canParse(address) && new URL(address);
  if (!url || !/^https?:$/.test(url.protocol)) return { isUsable: false, reason: 'malformed' };
  const isOwn = localHosts.includes(url.hostname);
  if (url.protocol !== 'http:' || !(isOwn || url.hostname.endsWith('.local'))) {
    return { isUsable: false, reason: 'not-nearby' };
  }
  if (page.protocol === 'https:' && !isOwn) return { isUsable: false, reason: 'mixed' };
  const hasPort = url.port !== '' || /:80\/?$/.test(given);
  return { isUsable: true, url: hasPort ? url.origin : `${url.origin}:${defaultPort}` };
}

/** Returns the address of a gateway's own page in the local network, also one that this page cannot call. */
export function gatewayPageUrl(text: string): string | undefined {
  const given = text.trim();
  const address = /^\w+:\/\//.test(given) ? given : `http://${given}`;
  const url = URL.canParse(address) && new URL(address);
  if (!url || !/^https?:$/.test(url.protocol) || !isLocalHost.test(url.hostname)) return undefined;
  const hasPort = url.port !== '' || url.protocol === 'https:' || /:80\/?$/.test(given);
  return hasPort ? url.origin : `${url.origin}:${defaultPort}`;
}

// Private addresses and names that only a local network has.
const isLocalHost =
  /^(localhost|[a-z0-9-]+|[a-z0-9-]+\.(local|lan|home|home\.arpa)|(127|10)\.[\d.]+|192\.168\.[\d.]+|172\.(1[6-9]|2\d|3[01])\.[\d.]+)$/;

const defaultPort = 8081;

export const defaultAddress = `http://localhost:${defaultPort}`;

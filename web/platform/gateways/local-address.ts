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

const defaultPort = 8081;

export const defaultAddress = `http://localhost:${defaultPort}`;

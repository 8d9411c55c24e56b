/** Where a gateway answers on the network of the house. */
export type LocalAddress =
  | { isUsable: true; url: string }
  /** no address at all; one that the page may not ask (its policy names localhost and .local); http below a page of https */
  | { isUsable: false; reason: 'malformed' | 'not-nearby' | 'mixed' };

const ownMachine = ['localhost', '127.0.0.1'];

/** What somebody typed, as an address that this page may ask. Without a port the usual one is meant. */
export function readAddress(text: string, page: { protocol: string }): LocalAddress {
  const given = text.trim();
  const url = parsed(/^\w+:\/\//.test(given) ? given : `http://${given}`);
  if (!url || !/^https?:$/.test(url.protocol)) return { isUsable: false, reason: 'malformed' };
  const isOwn = ownMachine.includes(url.hostname);
  if (url.protocol !== 'http:' || !(isOwn || url.hostname.endsWith('.local'))) {
    return { isUsable: false, reason: 'not-nearby' };
  }
  if (page.protocol === 'https:' && !isOwn) return { isUsable: false, reason: 'mixed' };
  const hasPort = url.port !== '' || /:80\/?$/.test(given);
  return { isUsable: true, url: hasPort ? url.origin : `${url.origin}:${usualPort}` };
}

function parsed(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

const usualPort = 8081;

export const usualAddress = `http://localhost:${usualPort}`;

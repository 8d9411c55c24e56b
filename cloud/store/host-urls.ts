/** Splits a URL with several hosts, `postgres://user@a:5432,b:5432/db`, into one URL for each host. */
export function hostUrls(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = /^([a-z]+:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  return hosts.includes(',') ? hosts.split(',').map((host) => `${before}${host}${after}`) : [url];
}

/** Returns hosts, ports and database of a URL, without user and password. */
export function shownUrl(url: string): string {
  const each = hostUrls(url).map((one) => new URL(one));
  return `${each.map(({ host }) => host).join(',')}${each[0]?.pathname ?? ''}`;
}

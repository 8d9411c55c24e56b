/** As a URL writes it: an IPv6 address stands in brackets. */
export const hostPort = (host: string, port: number): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

/** Nothing came back, or nothing that is an answer. */
export class LinkError extends Error {
  override name = 'LinkError';
}

/** There is no connection to ask on. */
export class NotConnected extends LinkError {
  override name = 'NotConnected';
}

/** The host is there, and nothing listens on that port. */
export class Refused extends NotConnected {
  override name = 'Refused';
}

/** As a URL writes it: an IPv6 address stands in brackets. */
export const hostPort = (host: string, port: number): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

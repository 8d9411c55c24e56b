/** The device did not answer, or not with a valid answer. */
export class LinkError extends Error {
  override name = this.constructor.name;
}

/** The connection could not be opened. */
export class NotConnected extends LinkError {}

/** The host is reachable, but nothing listens on that port. */
export class Refused extends NotConnected {}

/** Formats host and port as in a URL, with brackets around an IPv6 address. */
export const hostPort = (host: string, port: number): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

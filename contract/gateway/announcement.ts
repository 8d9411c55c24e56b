/** The announcement of the HTTP service of a gateway on the local network. */
export const announcementOf = (serial: string): Record<string, string> => ({ path: '/api', id: serial });

/** Returns the serial in an announcement; other HTTP services have none. */
export const announcedSerial = ({ id, path }: Record<string, unknown> = {}): string | undefined =>
  typeof id === 'string' && path === '/api' ? id : undefined;

const isIPv4 = (text: string): boolean => /^\d+(\.\d+){3}$/.test(text);

/** Returns the IPv4 address of an announced service, else its host name. */
export const announcedHost = ({ addresses = [], host }: { addresses?: readonly string[]; host: string }): string =>
  addresses.find(isIPv4) ?? host;

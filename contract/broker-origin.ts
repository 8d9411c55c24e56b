const defaultPorts: Record<string, string> = { 'mqtt:': '1883', 'mqtts:': '8883', 'ws:': '80', 'wss:': '443' };

export type BrokerOrigin = { scheme: string; host: string; port: string };

/** Reads scheme, host and port of a broker's URL, with the default port where it names none; undefined when it is not one. */
export function parseBrokerOrigin(url: string): BrokerOrigin | undefined {
  const { protocol, hostname, port } = URL.parse(url) ?? {};
  const defaultPort = protocol && defaultPorts[protocol];
  if (!defaultPort || !hostname) return undefined;
  // URL changes the case of host names only in the schemes that it knows, such as ws.
  return { scheme: protocol.slice(0, -1), host: hostname.toLowerCase().replace(/\.$/, ''), port: port || defaultPort };
}

export const isDefaultPort = ({ scheme, port }: BrokerOrigin): boolean => defaultPorts[`${scheme}:`] === port;

/** The origin as gateways write it into the audience of a token: `mqtts://broker.example.org:8883`. */
export function brokerOrigin(url: string): string | undefined {
  const origin = parseBrokerOrigin(url);
  return origin && `${origin.scheme}://${origin.host}:${origin.port}`;
}

const defaultPorts: Record<string, string> = { 'mqtt:': '1883', 'mqtts:': '8883', 'ws:': '80', 'wss:': '443' };

export type BrokerOrigin = { scheme: string; host: string; port: string };

/** Parses scheme, host and port of a broker URL, with the default port; undefined when it is not a broker URL. */
export function parseBrokerOrigin(url: string): BrokerOrigin | undefined {
  const { protocol, hostname, port } = URL.parse(url) ?? {};
  const defaultPort = protocol && defaultPorts[protocol];
  if (!defaultPort || !hostname) return undefined;
  // URL lower-cases host names only for schemes that it knows, such as ws.
  return { scheme: protocol.slice(0, -1), host: hostname.toLowerCase().replace(/\.$/, ''), port: port || defaultPort };
}

export const isDefaultPort = ({ scheme, port }: BrokerOrigin): boolean => defaultPorts[`${scheme}:`] === port;

/** Returns the origin that gateways use as the audience of a token: `mqtts://broker.example.org:8883`. */
export function brokerOrigin(url: string): string | undefined {
  const origin = parseBrokerOrigin(url);
  return origin && `${origin.scheme}://${origin.host}:${origin.port}`;
}

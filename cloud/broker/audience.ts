import { X509Certificate } from 'node:crypto';
import { hostname, networkInterfaces } from 'node:os';
import { type BrokerOrigin, brokerOrigin, isDefaultPort, parseBrokerOrigin } from '#contract/broker-origin.ts';
import type { CloudConfig } from '../config.ts';

/** The claims of a gateway's token that name the broker it was made for. */
export type TokenAudience = { aud?: unknown; origin?: unknown };

export type Audience = {
  deploymentId: string;
  /** whether gateways of other makers may send tokens without an audience */
  othersMayOmit: boolean;
  selfProvingPrefixes: readonly string[];
  /** Returns whether every audience in the token is this platform. */
  isOurs(token: TokenAudience): boolean;
};

export type AudienceDeps = {
  deploymentId: string;
  /** URLs where the embedded broker listens; none with an external broker */
  listeners(): readonly string[];
};

type AudienceConfig = Pick<
  CloudConfig,
  | 'MQTT_ORIGINS'
  | 'MQTT_HOST'
  | 'MQTT_TLS_CERT'
  | 'PUBLIC_URL'
  | 'BROKER_URL'
  | 'GATEWAY_TOKENS_WITHOUT_AUDIENCE'
  | 'SELF_PROVING_PREFIXES'
>;

/** Recognizes this platform in tokens of gateways: by its deployment id, or by the origin of its broker. */
export function createAudience(config: AudienceConfig, { deploymentId, listeners }: AudienceDeps): Audience {
  const listed = config.MQTT_ORIGINS?.split(',').map(brokerOrigin);
  const declaredHosts = declaredHostsOf(config);

  function isOwnOrigin(text: string): boolean {
    const origin = parseBrokerOrigin(text);
    if (!origin) return false;
    if (listed) return listed.includes(brokerOrigin(text));
    if (declaredHosts.has(origin.host)) return isDefaultPort(origin) || isListener(origin);
    return machineHosts(config.MQTT_HOST).has(origin.host) && isListener(origin);
  }

  function isListener({ scheme, port }: BrokerOrigin): boolean {
    const own = listeners().map(parseBrokerOrigin);
    if (own.length === 0) return isDefaultPort({ scheme, port, host: '' });
    return own.some((listener) => listener?.scheme === scheme && listener.port === port);
  }

  const isOwnAudience = (value: unknown): boolean =>
    typeof value === 'string' && (value === deploymentId || isOwnOrigin(value));

  return {
    deploymentId,
    othersMayOmit: config.GATEWAY_TOKENS_WITHOUT_AUDIENCE,
    selfProvingPrefixes: config.SELF_PROVING_PREFIXES.split(',').filter(Boolean),
    isOurs({ aud, origin }) {
      const audiences = Array.isArray(aud) ? aud : [aud];
      if (audiences.length === 0 || !audiences.every(isOwnAudience)) return false;
      // The deployment id is public: a foreign broker can send it to a gateway. It cannot choose the origin.
      return origin === undefined || (typeof origin === 'string' && isOwnOrigin(origin));
    },
  };
}

/** Returns the host names that the operator declared for this platform, possibly those of a proxy in front of it. */
function declaredHostsOf({ PUBLIC_URL, BROKER_URL, MQTT_TLS_CERT }: AudienceConfig): Set<string> {
  const urls = [PUBLIC_URL, ...(BROKER_URL?.split(',') ?? [])];
  const hosts = urls.map((url) => url && URL.parse(url)?.hostname.toLowerCase());
  const names = MQTT_TLS_CERT ? (new X509Certificate(MQTT_TLS_CERT).subjectAltName ?? '') : '';
  const certified = [...names.matchAll(/(?:DNS|IP Address):([^,\s]+)/g)].map(([, name = '']) => hostOf(name));
  return new Set([...hosts.filter((host) => host !== undefined), ...certified]);
}

/** Returns the names and addresses of this machine. Addresses change, so they are read each time. */
function machineHosts(listeningHost: string): Set<string> {
  const name = hostname().toLowerCase();
  const [short = name] = name.split('.');
  const addresses = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);
  const named = ['localhost', '127.0.0.1', '::1', name, short, `${short}.local`, listeningHost, ...addresses];
  return new Set(named.map(hostOf));
}

const hostOf = (name: string): string => (name.includes(':') ? `[${name.toLowerCase()}]` : name.toLowerCase());

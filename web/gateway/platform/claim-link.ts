type Place = {
  cloudUrl: string;
  /** address of this page */
  page: string;
  serial: string;
  /** address of the gateway in the local network, if known */
  localIp?: string | undefined;
};

const isLoopback = (hostname: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);

/**
 * Returns the link to the set-up page of the platform that another device can open, or undefined if the platform runs on this
 * computer. It names the gateway by an address that other devices of the network can reach.
 */
export function claimLink({ cloudUrl, page, serial, localIp }: Place): string | undefined {
  if (isLoopback(new URL(cloudUrl).hostname)) return undefined;
  const at = new URL(page);
  if (isLoopback(at.hostname)) at.hostname = localIp || `zap-${serial}.local`;
  return `${cloudUrl}/app/setup?${new URLSearchParams({ at: at.origin, gateway: serial })}`;
}

import { type Client, createClient } from '#contract/client.ts';
import { Problem } from '#contract/problem.ts';
import type { Option, Shell } from '../line/command.ts';
import { fetchFrom } from '../sign-in/platform-address.ts';

const usualUrl = 'http://localhost:8081';

export const gatewayOptions = {
  gateway: { value: 'URL', says: `address of the gateway, instead of OHMSTEAD_GATEWAY. Default ${usualUrl}` },
  token: {
    value: 'TOKEN',
    says: 'local token of the gateway (ohmstead gateway token), instead of OHMSTEAD_GATEWAY_TOKEN',
  },
} as const satisfies Record<string, Option>;

type Named = { gateway: string | undefined; token: string | undefined };

export type LocalGateway = {
  url: string;
  api: Client;
  /** somebody said where it is */
  isNamed: boolean;
};

/** The local API of the gateway that the command line or the environment names, else of the one on this machine. */
export function openGateway({ gateway, token }: Named, { env }: Pick<Shell, 'env'>): LocalGateway {
  const named = gateway ?? (env.OHMSTEAD_GATEWAY || undefined);
  const url = gatewayUrl(named ?? usualUrl);
  const bearer = token ?? env.OHMSTEAD_GATEWAY_TOKEN;
  const api = createClient({ baseUrl: url, fetch: fetchFromGateway(url), ...(bearer && { token: bearer }) });
  return { url, api, isNamed: named !== undefined };
}

function gatewayUrl(text: string): string {
  const url = URL.parse(/^\w+:\/\//.test(text) ? text : `http://${text}`);
  if (url && /^https?:$/.test(url.protocol)) return url.origin;
  throw new Problem('invalid_request', `"${text}" is no address of a gateway; one is http://192.168.1.20:8081.`);
}

function fetchFromGateway(url: string): typeof fetch {
  const reach = fetchFrom(
    `No gateway answers at ${url}: start one with ohmstead gateway, or name it with --gateway (ohmstead gateway find looks for them).`,
  );
  return async (input, init) => {
    const answer = await reach(input, init);
    if (answer.status !== 401) return answer;
    throw new Problem(
      'unauthenticated',
      `The gateway at ${url} is guarded; give its local token with --token or OHMSTEAD_GATEWAY_TOKEN (ohmstead gateway token prints it on the machine of the gateway).`,
    );
  };
}

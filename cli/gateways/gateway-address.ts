import { type Client, createClient } from '#contract/client.ts';
import { Problem } from '#contract/problem.ts';
import type { Option, OptionValues, Shell } from '../line/command.ts';
import { reportsWith } from '../line/report.ts';
import { createFetch } from '../sign-in/sign-ins.ts';

const defaultUrl = 'http://localhost:8081';

export const gatewayOptions = {
  gateway: { value: 'URL', help: `address of the gateway; overrides OHMSTEAD_GATEWAY. Default ${defaultUrl}` },
  token: {
    value: 'TOKEN',
    help: 'local token of the gateway (ohmstead gateway token); overrides OHMSTEAD_GATEWAY_TOKEN',
  },
} as const satisfies Record<string, Option>;

export type LocalGateway = {
  url: string;
  api: Client;
  /** whether the address was given, not the default */
  isExplicit: boolean;
};

/** Opens the local API of the gateway named on the command line or in the environment, else of the one on this machine. */
export function openGateway(
  { gateway, token }: OptionValues<typeof gatewayOptions>,
  { env }: Pick<Shell, 'env'>,
): LocalGateway {
  const named = gateway ?? (env.OHMSTEAD_GATEWAY || undefined);
  const url = gatewayUrl(named ?? defaultUrl);
  const bearer = token ?? env.OHMSTEAD_GATEWAY_TOKEN;
  const api = createClient({ baseUrl: url, fetch: fetchFromGateway(url), ...(bearer && { token: bearer }) });
  return { url, api, isExplicit: named !== undefined };
}

function gatewayUrl(text: string): string {
  const url = URL.parse(/^\w+:\/\//.test(text) ? text : `http://${text}`);
  if (url && /^https?:$/.test(url.protocol)) return url.origin;
  throw new Problem('invalid_request', `"${text}" is not a valid gateway address. Example: http://192.168.1.20:8081`);
}

function fetchFromGateway(url: string): typeof fetch {
  const reach = createFetch(
    `Cannot reach a gateway at ${url}. Start one with ohmstead gateway, or give its address with --gateway (ohmstead gateway find lists those on this network).`,
  );
  return async (input, init) => {
    const answer = await reach(input, init);
    if (answer.status !== 401) return answer;
    throw new Problem(
      'unauthenticated',
      `The gateway at ${url} requires its local token; pass it with --token or OHMSTEAD_GATEWAY_TOKEN (ohmstead gateway token, run on the machine of the gateway, prints it).`,
    );
  };
}

/** Defines a command that calls a gateway and prints a report. */
export const onGateway = reportsWith({ options: gatewayOptions, open: openGateway });

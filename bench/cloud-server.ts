import { createClient } from '#contract/client.ts';
import { requestChallenge, verifyChallenge } from '#contract/cloud/identity.ts';
import type { Signer } from '#test/cloud/people.ts';
import { type OwnServer, startServer } from './measure/server-process.ts';

const unlimited = '1000000000';

export type CloudServerOptions = {
  databaseUrl?: string | undefined;
  busUrl?: string | undefined;
  program?: string;
  port?: number;
};

/** Starts the platform in its own process, as in production, but without rate limits. */
export const startCloudServer = (
  dataDir: string,
  { databaseUrl, busUrl, program = import.meta.resolve('./servers/cloud.ts'), port = 0 }: CloudServerOptions = {},
): Promise<OwnServer> =>
  startServer(program, {
    env: {
      CLOUD_PORT: String(port),
      MQTT_PORT: '0',
      DATA_DIR: dataDir,
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
      ...(busUrl && { BUS_URL: busUrl }),
      LOG_LEVEL: 'warn',
      RATE_ORDINARY: unlimited,
      RATE_LOGIN: unlimited,
      RATE_CLAIM: unlimited,
      SITES_PER_ORGANIZATION: unlimited,
      GATEWAYS_PER_ORGANIZATION: unlimited,
      DEVICES_PER_ORGANIZATION: unlimited,
      TELEMETRY_MB_PER_DAY: unlimited,
      STREAMS_PER_IDENTITY: unlimited,
    },
  });

/** Returns the access token of a registered key. */
export async function signIn(baseUrl: string, { publicKey: public_key, sign }: Signer): Promise<string> {
  const api = createClient({ baseUrl });
  const { challenge } = await api.call(requestChallenge, { body: { public_key } });
  const { token } = await api.call(verifyChallenge, { body: { public_key, challenge, signature: sign(challenge) } });
  return token;
}

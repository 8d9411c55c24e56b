import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createClient } from '#contract/client.ts';
import { requestChallenge, verifyChallenge } from '#contract/cloud/identity.ts';
import { readEvents } from '../cloud/event-reader.ts';
import { until } from '../until.ts';
import type { SimulatedState } from './up-process.ts';

/** Signs in with the key file that the stack prints, as a person would. */
export async function signInWith({ cloud_url: baseUrl, private_key_file }: SimulatedState) {
  const key = createPrivateKey(readFileSync(private_key_file));
  const public_key = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64');
  const anyone = createClient({ baseUrl });
  const { challenge } = await anyone.call(requestChallenge, { body: { public_key } });
  const signature = sign(null, Buffer.from(challenge), key).toString('base64');
  const { token, identity_id } = await anyone.call(verifyChallenge, { body: { public_key, challenge, signature } });
  return { identityId: identity_id, token, api: createClient({ baseUrl, token }) };
}

/** The DERs of the home in its live stream, once there are that many. */
export async function heardSince(
  { cloud_url, site_id }: SimulatedState,
  token: string,
  { since, count, withinMs }: { since: number; count: number; withinMs: number },
): Promise<Map<string, Record<string, unknown>>> {
  const stream = await readEvents(`${cloud_url}/stream/sites/${site_id}`, { authorization: `Bearer ${token}` });
  const heard = () =>
    new Map(
      stream.events
        .filter(({ event, data }) => event === 'message' && Number(data.timestamp) >= since)
        .map(({ data }) => [String(data.der_id), data]),
    );
  try {
    return await until(heard, ({ size }) => size >= count, withinMs);
  } finally {
    await stream.close();
  }
}

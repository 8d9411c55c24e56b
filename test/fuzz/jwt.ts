import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readGatewayToken } from '#cloud/broker/gateway-token.ts';
import { openAdmission } from '#cloud/broker/testing/trial.ts';
import { enrol } from '#cloud/identity/register.ts';
import { openStore, type Store } from '#cloud/store/store.ts';
import { listSigningKeys } from '#cloud/store/tokens.ts';
import { Problem } from '#contract/problem.ts';
import { createRandom } from '#gateway/p1/testing/fuzz-damage.ts';
import { parsePublicKey } from '#lib/keys/public-key.ts';
import { createLog } from '#lib/log.ts';
import { brokerToken } from '../cloud/gateway-client.ts';
import { ed25519, p256 } from '../cloud/people.ts';
import { createFakeClock } from '../fake-clock.ts';
import { forge, isSameToken, type Known } from './forged-tokens.ts';
import type { FuzzReport } from './fuzz-report.ts';

/** Whether a token is valid; any other exception is a bug. */
export type Verify = (token: string) => Promise<boolean>;

type Door = { what: string; known: Known; verify: Verify };

const now = Date.parse('2026-06-01T12:00:00Z');
const atOnce = 50;

/** Forged and damaged tokens, of people and of gateways. Only the valid ones are accepted. */
export async function fuzzJwt(
  seed: number,
  cases: number,
  weaken: (verify: Verify) => Verify = (verify) => verify,
): Promise<FuzzReport> {
  const random = createRandom(seed);
  const report: FuzzReport = { cases, frames: 0, wrong: [], slowestMs: 0 };
  await using folder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-jwt-'));
  const store = await openStore({ dataDir: folder.path, log: createLog({ level: 'silent', name: 'fuzz' }) });
  try {
    const doors = [await doorOfPeople(store), await doorOfGateways()];
    const attempt = async (): Promise<void> => {
      const { what, known, verify } = doors[random.below(doors.length)]!;
      const token = random.below(20) ? forge(known, random) : known.token;
      const began = performance.now();
      try {
        const isTaken = await weaken(verify)(token);
        const isGood = isSameToken(token, known.token);
        if (isTaken) report.frames++;
        if (isTaken && !isGood) report.wrong.push(`${what}: took ${token}`);
        if (!isTaken && token === known.token) report.wrong.push(`${what}: refused a valid token`);
      } catch (error) {
        report.wrong.push(`${what}: threw ${String(error)} on ${token}`);
      }
      report.slowestMs = Math.max(report.slowestMs, performance.now() - began);
    };
    for (let done = 0; done < cases; done += atOnce) {
      await Promise.all(Array.from({ length: Math.min(atOnce, cases - done) }, attempt));
    }
  } finally {
    await store.close();
  }
  return report;
}

async function doorOfPeople(store: Store): Promise<Door> {
  const { sessions } = await openAdmission({ store, clock: createFakeClock(now) });
  const session = async (): Promise<string> => {
    const key = parsePublicKey(ed25519().publicKey);
    return store.write(async ({ db }) => {
      const { identity } = await enrol({ key, type: 'user' }, db, now);
      return (await sessions.open(identity, { db, description: 'test', publicKey: key.text })).token;
    });
  };
  const current = (await listSigningKeys(store.db)).find(({ stage }) => stage === 'current')!;
  const publicKey = createPublicKey(current.private_key);
  const { privateKey: ownKey } = generateKeyPairSync('ed25519');
  return {
    what: 'people',
    known: { token: await session(), otherToken: await session(), publicKey, ownKey },
    async verify(token) {
      try {
        await sessions.authenticate(`Bearer ${token}`);
        return true;
      } catch (error) {
        if (error instanceof Problem && error.code === 'unauthenticated') return false;
        throw error;
      }
    },
  };
}

async function doorOfGateways(): Promise<Door> {
  const [gateway, other] = [p256(), p256()];
  const key = createPublicKey(gateway.privateKey);
  return {
    what: 'gateways',
    known: {
      token: await brokerToken(gateway, now),
      otherToken: await brokerToken(other, now),
      publicKey: key,
      ownKey: other.privateKey,
    },
    verify: async (token) => (await readGatewayToken({ token, serial: gateway.serial, key, now })) !== undefined,
  };
}

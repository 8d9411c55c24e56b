import type { KeyObject } from 'node:crypto';
import type { JWTHeaderParameters, JWTPayload } from 'jose';
import { JOSEError } from 'jose/errors';
import { jwtVerify } from 'jose/jwt/verify';
import type { TokenAudience } from './audience.ts';

const longestLifeSeconds = 3600;
const leewaySeconds = 60;
const mostCharacters = 4096;

type GatewayToken = { token: string; serial: string; key: KeyObject; now: number };

export type ReadGatewayToken = TokenAudience & { expiresAt: number };

/** Reads a token that the gateway minted for itself: when it ends, in ms, and what it was made for. Undefined when it is invalid. */
export async function readGatewayToken(given: GatewayToken): Promise<ReadGatewayToken | undefined> {
  const { token, serial, key, now } = given;
  if (token.length > mostCharacters) return undefined;
  try {
    const { payload, protectedHeader } = await jwtVerify(token, key, {
      algorithms: ['ES256'],
      currentDate: new Date(now),
      clockTolerance: leewaySeconds,
    });
    if (!namesSerial(serial, protectedHeader, payload)) return undefined;
    if (!isShortLived(payload, now)) return undefined;
    return { expiresAt: payload.exp! * 1000, aud: payload.aud, origin: payload.origin };
  } catch (error) {
    if (error instanceof JOSEError) return undefined;
    throw error;
  }
}

/** In the header or in the claims; where it stands twice, both times. */
function namesSerial(serial: string, { device }: Partial<JWTHeaderParameters>, { sub }: JWTPayload): boolean {
  const said = [device, sub].filter((name) => name !== undefined);
  return said.length > 0 && said.every((name) => name === serial);
}

function isShortLived({ iat, exp }: JWTPayload, now: number): boolean {
  if (!Number.isFinite(iat) || !Number.isFinite(exp)) return false;
  const seconds = now / 1000;
  return exp! > seconds && iat! <= seconds + leewaySeconds && exp! - iat! <= longestLifeSeconds;
}

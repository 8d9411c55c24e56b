import type { KeyObject } from 'node:crypto';
import type { JWTHeaderParameters, JWTPayload } from 'jose';
import { JOSEError } from 'jose/errors';
import { jwtVerify } from 'jose/jwt/verify';
import type { TokenAudience } from './audience.ts';

const maxLifeSeconds = 3600;
const leewaySeconds = 60;
const maxCharacters = 4096;

type GatewayToken = { token: string; serial: string; key: KeyObject; now: number };

export type ReadGatewayToken = TokenAudience & { expiresAt: number };

/** Verifies a token that a gateway signed itself. Returns its expiry in ms and its audience; undefined if it is invalid. */
export async function readGatewayToken(given: GatewayToken): Promise<ReadGatewayToken | undefined> {
  const { token, serial, key, now } = given;
  if (token.length > maxCharacters) return undefined;
  try {
    const { payload, protectedHeader } = await jwtVerify(token, key, {
      algorithms: ['ES256'],
      currentDate: new Date(now),
      clockTolerance: leewaySeconds,
    });
    if (!namesSerial(serial, protectedHeader, payload)) return undefined;
    const { iat, exp } = payload;
    if (iat === undefined || exp === undefined || !isShortLived(iat, exp, now)) return undefined;
    return { expiresAt: exp * 1000, aud: payload.aud, origin: payload.origin };
  } catch (error) {
    if (error instanceof JOSEError) return undefined;
    throw error;
  }
}

/** Returns whether the header or the claims name the serial; if both do, they must agree. */
function namesSerial(serial: string, { device }: Partial<JWTHeaderParameters>, { sub }: JWTPayload): boolean {
  const names = [device, sub].filter((name) => name !== undefined);
  return names.length > 0 && names.every((name) => name === serial);
}

function isShortLived(iat: number, exp: number, now: number): boolean {
  const seconds = now / 1000;
  return exp > seconds && iat <= seconds + leewaySeconds && exp - iat <= maxLifeSeconds;
}

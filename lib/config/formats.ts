import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { parseNetwork } from '../network.ts';

/** What text may have to be, in words that go on after "expected text,". */
type Format = { phrase: string; holds(text: string): boolean };

export const formats = {
  uri: { phrase: 'in the format uri', holds: (text) => URL.canParse(text) },
  proxies: {
    phrase: 'addresses or networks such as 10.0.0.0/8, and never all there are',
    holds: (text) => partsOf(text).every((part) => (parseNetwork(part)?.bits ?? 0) > 0),
  },
  networks: {
    phrase: 'networks such as 100.64.0.0/10 or 2001:db8::/32',
    holds: (text) => partsOf(text).every((part) => part === '' || part === '*' || parseNetwork(part) !== undefined),
  },
  certificates: {
    phrase: 'certificates in PEM and not the name of their file',
    holds: (text) => certificatesIn(text).length > 0,
  },
  'private key': {
    phrase: 'a private key in PEM, without a password, and not the name of its file',
    holds: (text) => keyIn(text) !== undefined,
  },
} as const satisfies Record<string, Format>;

/** What is in PEM may be a private key in the wrong place, and is shown in no message. */
export const isShown = (format: unknown): boolean => format !== 'certificates' && format !== 'private key';

export function isKeyOf(key: string, chain: string): boolean {
  const [certificate] = certificatesIn(chain);
  return certificate?.checkPrivateKey(keyIn(key)!) ?? false;
}

const partsOf = (text: string): string[] => text.split(',').map((part) => part.trim());

const certificateBlock = /-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----/gs;

/** None when one of them is damaged. */
function certificatesIn(text: string): X509Certificate[] {
  try {
    return (text.match(certificateBlock) ?? []).map((block) => new X509Certificate(block));
  } catch {
    return [];
  }
}

function keyIn(text: string): KeyObject | undefined {
  try {
    return createPrivateKey(text);
  } catch {
    return undefined;
  }
}

/** Minutes for which the link that adds a browser is valid. */
export const pairingMinutes = 5;

/** The page that the link opens. Its secret is in the fragment, which browsers send to no server. */
export const pairingPage = '/app/add-browser';

/** Returns what a new browser signs to prove that it has the private key. */
export const joinMessage = (secret: string, publicKey: string): string => `ohmstead join|${secret}|${publicKey}`;

/** Returns what a browser of the account signs to add the key of a new one. */
export const confirmMessage = ({ identityId, pairingId, publicKey }: Confirmation): string =>
  `ohmstead add browser|${identityId}|${pairingId}|${publicKey}`;

type Confirmation = { identityId: string; pairingId: string; publicKey: string };

const codeDigits = 6;

/** Returns the code that both browsers show. Each computes it: the platform could not send one for another key. */
export async function comparisonCode(secret: string, publicKey: string): Promise<string> {
  const bytes = new TextEncoder().encode(`ohmstead code|${secret}|${publicKey}`);
  const digest = new DataView(await crypto.subtle.digest('SHA-256', bytes));
  const code = String(digest.getUint32(0) % 10 ** codeDigits).padStart(codeDigits, '0');
  return `${code.slice(0, 3)} ${code.slice(3)}`;
}

type Coded = { code?: string; message?: string; cause?: Coded };

const words: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  ENOTFOUND: 'the name is unknown',
  EAI_AGAIN: 'the name cannot be looked up now',
  EHOSTUNREACH: 'it is not on the network',
  ENETUNREACH: 'there is no way to its network',
  ETIMEDOUT: 'it does not answer in time',
  ABORT_ERR: 'it does not answer in time',
  UND_ERR_CONNECT_TIMEOUT: 'it does not answer in time',
  EACCES: 'the system does not allow it',
};

/** Why something could not be reached, as the end of a sentence. No address is in it, which may hold a password. */
export function failureWords(error: unknown): string {
  const { name, message } = error as Error;
  if (name === 'TimeoutError' || name === 'AbortError' || /time(d )?out/i.test(message)) return words.ETIMEDOUT!;
  const { code = '' } = innermost(error as Coded);
  if (/CERT|SELF_SIGNED|ALTNAME/.test(code)) return `its certificate is not accepted (${code})`;
  return words[code] ?? (code || 'it does not answer as expected');
}

const innermost = (error: Coded): Coded => (error.cause?.code ? innermost(error.cause) : error);

// How the tests spell bytes: every text form that a key or a signature may arrive in.

export function spellingsOf(bytes: Buffer): string[] {
  const hex = bytes.toString('hex');
  const padded = bytes.toString('base64');
  return [hex, hex.toUpperCase(), `0x${hex}`, padded, padded.replaceAll('=', ''), bytes.toString('base64url')];
}

export function pemOf(der: Buffer, label = 'PUBLIC KEY'): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n');
}

// `deviceName` of a gateway without a name of its own, which existing drivers expect; nothing that a person should read.
const unnamed = 'software_zap';

/** Returns the name that somebody gave to a gateway. */
export const givenName = (name: string | undefined): string | undefined => (name === unnamed ? undefined : name);

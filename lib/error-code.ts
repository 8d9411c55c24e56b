/** Returns what was thrown as an Error, which it nearly always is. */
export const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** Returns the `code` of an error of Node.js or of MQTT, such as `ENOENT`; undefined when it has none. */
export const errorCode = (error: unknown): string | number | undefined => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' || typeof code === 'number' ? code : undefined;
};

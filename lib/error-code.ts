/** Returns what was thrown as an Error, which it nearly always is. */
export const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

/** Returns the `code` of an error of Node.js or of MQTT, such as `ENOENT`; undefined when it has none. */
export const errorCode = (error: unknown): string | number | undefined => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' || typeof code === 'number' ? code : undefined;
};

/** Returns a handler for `catch` that turns an expected error into undefined, and throws others. */
export const undefinedIf =
  (isExpected: (error: unknown) => boolean) =>
  (error: unknown): undefined => {
    if (!isExpected(error)) throw error;
  };

export const isMissingFile = (error: unknown): boolean => errorCode(error) === 'ENOENT';

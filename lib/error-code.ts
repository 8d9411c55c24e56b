/** Returns the `code` of an error of Node.js or of MQTT, such as `ENOENT`; undefined when it has none. */
export const errorCode = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined;

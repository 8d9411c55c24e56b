/** Waits for a result at most this long; then returns, or throws, what `onLate` does. */
export async function within<Result, Late = undefined>(
  ms: number,
  work: Promise<Result>,
  onLate?: () => Late,
): Promise<Result | Late | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), ms);
  try {
    return await Promise.race([work, late.promise.then(onLate)]);
  } finally {
    clearTimeout(timer);
  }
}

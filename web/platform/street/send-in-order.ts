/**
 * Sends changes one at a time. Changes made meanwhile are merged into the next request. The promise resolves when all are
 * sent, or rejects with the first failure.
 */
export function sendInOrder<Change extends object>(send: (change: Change) => Promise<unknown>) {
  let waiting: Change | undefined;
  let sending: Promise<void> | undefined;

  async function sendAll(): Promise<void> {
    const failures: unknown[] = [];
    while (waiting) {
      const change = waiting;
      waiting = undefined;
      await send(change).catch((error: unknown) => failures.push(error));
    }
    sending = undefined;
    if (failures.length > 0) throw failures[0];
  }

  return (change: Change): Promise<void> => {
    waiting = { ...waiting, ...change };
    sending ??= sendAll();
    return sending;
  };
}

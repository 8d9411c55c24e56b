/**
 * Sends changes one at a time. What is chosen while one is on its way goes into the next, the last value of each name;
 * the promise ends when all is sent, and tells the first that failed.
 */
export function inTurn<Change extends object>(send: (change: Change) => Promise<unknown>) {
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

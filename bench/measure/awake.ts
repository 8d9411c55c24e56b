/** Keeps this process from sleeping in the meantime: waking it would cost CPU time of the server that answers it. */
export async function awake<T>(work: () => Promise<T>): Promise<T> {
  let isWorking = true;
  const turn = (): void => {
    if (isWorking) setImmediate(turn);
  };
  turn();
  try {
    return await work();
  } finally {
    isWorking = false;
  }
}

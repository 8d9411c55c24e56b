/** Tells the bench where we listen and, whenever it asks, the CPU time used so far. Ends when the bench lets go. */
export function report(url: string, close: () => Promise<void>): void {
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuUs: user + system });
  });
  process.on('disconnect', () => {
    void close().finally(() => process.exit());
  });
  process.send?.({ url });
}

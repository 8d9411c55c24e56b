import { type Home, openAnnounced } from './announced.ts';
import { type BridgeDeps, createBridge } from './bridge.ts';
import { sayFarewell } from './farewell.ts';

export type HomeAssistantDeps = Omit<BridgeDeps, 'home' | 'announced'> & {
  /** undefined if disabled */
  home: Home | undefined;
  dataDir: string;
};

/** Announces the devices of this gateway to Home Assistant through MQTT discovery. */
export async function openHomeAssistant(deps: HomeAssistantDeps): Promise<{ start(): void; close(): Promise<void> }> {
  const { home, serial, dataDir } = deps;
  const log = deps.log.child({ part: 'home assistant' });
  const announced = await openAnnounced(dataDir, home, log);
  const { former, forgetFormer: forget } = announced;
  const bridge = home && createBridge({ ...deps, home, announced, log });
  const closing = new AbortController();
  let leaving = Promise.resolve();
  return {
    start() {
      bridge?.start();
      if (former) leaving = sayFarewell({ serial, former, home, forget, log }, closing.signal);
    },
    async close() {
      closing.abort();
      await Promise.all([bridge?.close(), leaving]);
    },
  };
}

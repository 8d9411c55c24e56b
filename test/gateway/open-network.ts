import type { TestContext } from 'node:test';
import { createProbes } from '#gateway/access/probes.ts';
import { createTargets } from '#gateway/access/targets.ts';
import { createNetworkManager } from '#gateway/network/network-manager.ts';
import { type NetworkDeps, networkRoutes } from '#gateway/network/routes.ts';
import { createRun } from '#gateway/network/run-command.ts';
import { createWifi } from '#gateway/network/wifi.ts';
import { openLocal } from './open-local.ts';

/** The network routes of a gateway that finds system commands on this path. */
export function openNetwork(t: Pick<TestContext, 'after'>, path: string, changes: Partial<NetworkDeps> = {}) {
  const local = openLocal();
  const { clock, log } = local;
  const run = createRun(path);
  const wifi = createWifi({ manager: createNetworkManager(run), clock, log });
  t.after(() => wifi.close());
  const targets = createTargets('');
  const deps = { wifi, run, targets, probes: createProbes(), mqttConnected: () => true };
  networkRoutes(local.mount, { ...deps, ...changes });
  return { ...local, wifi };
}

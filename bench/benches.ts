import { claim } from './claim.ts';
import { cluster } from './cluster.ts';
import { connections } from './connections.ts';
import { control } from './control.ts';
import { energy } from './energy.ts';
import { gateway } from './gateway.ts';
import { gateways } from './gateways.ts';
import { history } from './history.ts';
import { http } from './http.ts';
import { ingest } from './ingest.ts';
import { kills } from './kills.ts';
import { live } from './live.ts';
import { login } from './login.ts';
import type { Finding } from './measure/finding.ts';
import { outbox } from './outbox.ts';
import { p1 } from './p1.ts';
import { pages } from './pages.ts';
import { planYear } from './plan-year.ts';
import { planning } from './planning.ts';
import { priceTotal } from './price-total.ts';
import { prices } from './prices.ts';
import { registry } from './registry.ts';
import { restMix } from './rest-mix.ts';
import { scale } from './scale.ts';
import { soak } from './soak.ts';
import { start } from './start.ts';
import { storage } from './storage.ts';

export const benches: Record<string, () => Promise<Finding[]>> = {
  start,
  http,
  login,
  claim,
  restMix,
  registry,
  ingest,
  storage,
  history,
  energy,
  kills,
  connections,
  gateways,
  live,
  cluster,
  scale,
  gateway,
  p1,
  outbox,
  control,
  prices,
  priceTotal,
  planning,
  pages,
};

/** Benchmarks that run only when named. */
export const onRequest: Record<string, () => Promise<Finding[]>> = { soak, planYear };

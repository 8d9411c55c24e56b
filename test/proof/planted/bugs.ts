import type { Bug } from './bug.ts';
import { accessBugs } from './bugs/access.ts';
import { foundationBugs } from './bugs/foundations.ts';
import { gatewayBugs } from './bugs/gateway.ts';
import { pageAndPriceBugs } from './bugs/pages-and-prices.ts';
import { telemetryBugs } from './bugs/telemetry.ts';

export const bugs: readonly Bug[] = [
  ...foundationBugs,
  ...accessBugs,
  ...telemetryBugs,
  ...gatewayBugs,
  ...pageAndPriceBugs,
];

/** Changes nothing: a trial that notices it notices everything, and proves nothing. */
export const harmless: Bug = {
  id: 'nothing is changed',
  proves: [],
  module: 'contract/command.ts',
  replace: {},
  noticedBy: 'cli/control/typed-command.test.ts',
};

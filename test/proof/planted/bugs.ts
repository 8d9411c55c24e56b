import type { Bug } from './bug.ts';
import { brokerBugs } from './bugs/broker.ts';
import { clientBugs } from './bugs/clients.ts';
import { controlBugs } from './bugs/control.ts';
import { deviceBugs } from './bugs/devices.ts';
import { foundationBugs } from './bugs/foundations.ts';
import { growthBugs } from './bugs/growth.ts';
import { identityBugs } from './bugs/identity.ts';
import { keyBugs } from './bugs/keys.ts';
import { localApiBugs } from './bugs/local-api.ts';
import { oauthBugs } from './bugs/oauth.ts';
import { ownershipBugs } from './bugs/ownership.ts';
import { packageBugs } from './bugs/packages.ts';
import { priceBugs } from './bugs/price.ts';
import { telemetryBugs } from './bugs/telemetry.ts';

export const bugs: readonly Bug[] = [
  ...keyBugs,
  ...foundationBugs,
  ...identityBugs,
  ...ownershipBugs,
  ...oauthBugs,
  ...brokerBugs,
  ...telemetryBugs,
  ...localApiBugs,
  ...controlBugs,
  ...deviceBugs,
  ...priceBugs,
  ...clientBugs,
  ...packageBugs,
  ...growthBugs,
];

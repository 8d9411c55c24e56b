// The embedded broker with its admission: acknowledges every message at once and stores none.
import { createAdmission } from '#cloud/broker/admission.ts';
import { createAudience } from '#cloud/broker/audience.ts';
import { createEmbeddedBroker } from '#cloud/broker/embedded.ts';
import { CloudConfig } from '#cloud/config.ts';
import { openKeyRing } from '#cloud/identity/key-ring.ts';
import { createSessions } from '#cloud/identity/sessions.ts';
import { openStore } from '#cloud/store/store.ts';
import { systemClock as clock } from '#lib/clock.ts';
import { readConfig } from '#lib/config.ts';
import { createLog } from '#lib/log.ts';
import { report } from './report.ts';

const tokenLifeMs = 3_600_000;
const log = createLog({ level: 'warn', name: 'broker' });

const store = await openStore({ dataDir: process.env.DATA_DIR!, log });
const keys = await openKeyRing(store, { clock, tokenLifeMs });
const sessions = createSessions({ store, keys, clock, deploymentId: 'urn:bench', tokenLifeMs });
const audience = createAudience(readConfig(CloudConfig, {}), { deploymentId: 'urn:bench', listeners: () => [] });
const admission = createAdmission({ store, sessions, audience, platformMessage: () => '{}', clock, log });
const broker = createEmbeddedBroker({ admission, host: '127.0.0.1', mqttPort: 0, mayMove: false, clock, log });
await broker.start({ message: async () => false, presence: () => {} });
report({ url: broker.urls.mqtt!, mqttUrl: broker.urls.mqtt }, async () => {
  await broker.close();
  await store.close();
});

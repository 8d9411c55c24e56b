import type { Db } from '../engine.ts';
import { registry } from './001-registry.ts';
import { telemetry } from './002-telemetry.ts';
import { oauth } from './003-oauth.ts';
import { derFields } from './004-der-fields.ts';
import { erasures } from './005-erasures.ts';
import { invitations } from './006-invitations.ts';
import { tokenAudience } from './007-token-audience.ts';
import { quotas } from './008-quotas.ts';

/** In the order they are applied. Append only: what was released never changes. */
export const migrations: readonly { name: string; up(db: Db): Promise<void> }[] = [
  { name: '001-registry', up: registry },
  { name: '002-telemetry', up: telemetry },
  { name: '003-oauth', up: oauth },
  { name: '004-der-fields', up: derFields },
  { name: '005-erasures', up: erasures },
  { name: '006-invitations', up: invitations },
  { name: '007-token-audience', up: tokenAudience },
  { name: '008-quotas', up: quotas },
];

import { join } from 'node:path';
import type { DerTypeId } from '#contract/der.ts';
import { writeAtomic } from '#lib/atomic-file.ts';

export type StackDevice = {
  sn: string;
  profile: string;
  device_id: string;
  ders: { id: string; name: string; type: DerTypeId }[];
};

/** The addresses of the running services, for people and programs. The optional ids describe the simulation. */
export type StackState = {
  cloud_url: string;
  gateway_url: string;
  price_url: string;
  /** absent when the platform uses an external broker */
  mqtt_url?: string;
  gateway_serial: string;
  identity_id?: string;
  /** PKCS 8, PEM */
  private_key_file?: string;
  org_id?: string;
  site_id?: string;
  devices?: StackDevice[];
};

export const stateFile = (dataDir: string): string => join(dataDir, 'stack.json');

export const writeState = (dataDir: string, state: StackState): Promise<void> =>
  writeAtomic(stateFile(dataDir), `${JSON.stringify(state, null, 2)}\n`);

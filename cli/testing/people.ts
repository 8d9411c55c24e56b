import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CloudOptions, startCloud } from '#cloud/main.ts';
import { createLog } from '#lib/log.ts';
import type { Outcome } from './child-process.ts';
import { resultOf, runInProcess } from './in-process.ts';

// For tests: a platform, and users with their own configuration folders.

export type Person = {
  env: Record<string, string>;
  configFolder: string;
  run(...args: string[]): Promise<Outcome>;
  /** Runs a command with --json, which must succeed, and returns its result. */
  result<T>(...args: string[]): Promise<T>;
};

export async function openPlatform(cloudEnv: Record<string, string> = {}, calculator?: CloudOptions['calculator']) {
  const { path: folder, remove } = await mkdtempDisposable(join(tmpdir(), 'ohmstead-people-'));
  const log = createLog({ level: 'silent', name: 'test' });
  const env = {
    DATA_DIR: join(folder, 'data'),
    CLOUD_PORT: '0',
    MQTT_PORT: '0',
    RATE_REGISTER: '10000',
    RATE_LOGIN: '10000',
    ...cloudEnv,
  };
  const cloud = await startCloud(env, { version: '0.0.0', log, ...(calculator && { calculator }) });
  let count = 0;

  /** Creates a user who has never used the program. */
  function stranger(more: Record<string, string> = {}): Person {
    const configFolder = join(folder, `person-${++count}`);
    const personEnv = { OHMSTEAD_CONFIG_DIR: configFolder, ...more };
    return {
      env: personEnv,
      configFolder,
      run: (...args) => runInProcess(args, personEnv),
      result: (...args) => resultOf(args, personEnv),
    };
  }

  return {
    url: cloud.url,
    mqttUrl: cloud.mqttUrl!,
    folder,
    stranger,
    async person(more: Record<string, string> = {}): Promise<Person & { id: string }> {
      const person = stranger(more);
      const { identity_id } = await person.result<{ identity_id: string }>('login', cloud.url);
      return { ...person, id: identity_id };
    },
    async close(): Promise<void> {
      await cloud.close();
      await remove();
    },
  };
}

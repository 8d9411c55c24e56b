import { after, describe } from 'node:test';
import { type EngineName, engines, openCloud, type TestCloud } from './open-cloud.ts';

/** Runs tests on a whole platform, on each database engine. */
export function onEachEngine(
  title: string,
  tests: (cloud: TestCloud, engine: EngineName) => Promise<void> | void,
): void {
  for (const { engine, skip } of engines) {
    describe(`${title} on ${engine}`, { skip }, async () => {
      const cloud = await openCloud({ engine });
      after(() => cloud.close());
      await tests(cloud, engine);
    });
  }
}

import { join } from 'node:path';
import type { RemoteManagement as Shown } from '#contract/gateway/system.ts';
import { orProblem } from '#contract/problem.ts';
import { readJson, writeJson } from '#lib/atomic-file.ts';
import type { Logger } from '#lib/log.ts';

type Kept = Pick<Shown, 'enabled' | 'requests'>;

export type RemoteManagement = Awaited<ReturnType<typeof openRemoteManagement>>;

const maxKept = 50;

/** Opens the switch with which a person at the gateway forbids the platform to manage it, and the last requests. */
export async function openRemoteManagement(dataDir: string, log: Logger) {
  const path = join(dataDir, 'remote-management.json');
  const damaged = 'the setting of remote management was damaged and set aside; it is off';
  const stored = await readJson<Kept>(path);
  if (stored?.damaged) log.warn({ file: stored.damaged }, damaged);
  let kept: Kept = stored?.data ?? { enabled: !stored, requests: [] };

  let writing = Promise.resolve();

  return {
    isEnabled: (): boolean => kept.enabled,
    requests: (): Shown['requests'] => kept.requests,
    async set(enabled: boolean): Promise<void> {
      const changed = { ...kept, enabled };
      await writeJson(path, changed).catch(orProblem('storage_failed', 'The setting could not be stored.'));
      kept = changed;
    },
    note(request: Shown['requests'][number]): void {
      kept = { ...kept, requests: [request, ...kept.requests].slice(0, maxKept) };
      writing = writeJson(path, kept).catch((error: unknown) =>
        log.warn({ err: error }, 'a request of the platform was not stored'),
      );
    },
    close: () => writing,
  };
}

import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hearGateway, hearRadio } from './gateway-log.ts';
import { hearFailingStarts, hearPlatform } from './platform-log.ts';
import { createSecrets, type SecretKind, type Secrets } from './secrets.ts';

export type Search = { kinds: Set<SecretKind>; lines: number; answers: number; leaks: string[] };

/** Gives every kind of secret to real processes that log as much as they can; no output may contain one. */
export async function searchLogs({ requests }: { requests: number }): Promise<Search> {
  const secrets = createSecrets();
  await using cloudFolder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-canaries-'));
  await using gatewayFolder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-canaries-'));
  const platform = await hearPlatform({ folder: join(cloudFolder.path, 'data'), secrets, requests });
  const failing = await hearFailingStarts(join(cloudFolder.path, 'failing'), secrets);
  const gateway = await hearGateway(join(gatewayFolder.path, 'data'), secrets);
  const radio = await hearRadio(secrets);

  const logs = {
    platform: platform.said,
    'failing starts': failing,
    gateway: gateway.said,
    'a gateway to its broker': gateway.streamed,
    radio: radio.said,
  };
  const answers = [...gateway.answers, ...radio.answers];
  const leaks = Object.entries(logs).flatMap(([who, said]) => leaksIn(said, who, secrets));
  const told = answers.flatMap((answer) =>
    secrets.foundIn(answer).map((kind) => `a gateway given a ${kind}: ${answer}`),
  );
  return {
    kinds: secrets.kinds(),
    lines: Object.values(logs).reduce((sum, said) => sum + said.split('\n').length, 0),
    answers: answers.length + platform.requests,
    leaks: [...leaks, ...told, ...platform.faults],
  };
}

/** The same search in the log of a platform with the bug: it logs request headers. */
export async function searchTellingLog(): Promise<{ lines: number; answers: number; leaks: string[] }> {
  const secrets = createSecrets();
  await using folder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-canaries-'));
  const { said, requests } = await hearPlatform({ folder: folder.path, secrets, requests: 5, planted: 'telling' });
  return { lines: said.split('\n').length, answers: requests, leaks: leaksIn(said, 'platform', secrets) };
}

const leaksIn = (said: string, who: string, secrets: Secrets): string[] =>
  said.split('\n').flatMap((line) => secrets.foundIn(line).map((kind) => `${who} logged a ${kind}: ${line}`));

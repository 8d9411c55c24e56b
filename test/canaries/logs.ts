import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hearGateway, hearRadio } from './gateway-log.ts';
import { hearFailingStarts, hearPlatform } from './platform-log.ts';
import { createSecrets, type SecretKind } from './secrets.ts';

export type Search = { kinds: Set<SecretKind>; lines: number; answers: number; leaks: string[] };

type Options = { requests: number; planted?: string };

/** Every kind of secret is told to real processes that log all they can; none of them stands in what they say. */
export async function searchLogs({ requests, planted = '' }: Options): Promise<Search> {
  const secrets = createSecrets();
  await using cloudFolder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-canaries-'));
  await using gatewayFolder = await mkdtempDisposable(join(tmpdir(), 'ohmstead-canaries-'));
  const platform = await hearPlatform({ folder: join(cloudFolder.path, 'data'), secrets, requests, planted });
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
  const leaks = Object.entries(logs).flatMap(([who, said]) =>
    said.split('\n').flatMap((line) => secrets.foundIn(line).map((kind) => `${who} logged a ${kind}: ${line}`)),
  );
  const told = answers.flatMap((answer) =>
    secrets.foundIn(answer).map((kind) => `a gateway told a ${kind}: ${answer}`),
  );
  return {
    kinds: secrets.kinds(),
    lines: Object.values(logs).reduce((sum, said) => sum + said.split('\n').length, 0),
    answers: answers.length + platform.requests,
    leaks: [...leaks, ...told, ...platform.faults],
  };
}

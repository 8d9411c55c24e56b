// Resets the folder of a gateway and kills itself at the given step. Runs as a program of its own.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const [folder = '', killedAt = ''] = process.argv.slice(2);
let step = 0;

type Operation = (...given: unknown[]) => Promise<unknown>;
const operations = fs.promises as unknown as Record<string, Operation>;

for (const name of ['access', 'readdir', 'open', 'rename', 'link', 'rm']) {
  const operation = operations[name]!;
  operations[name] = (...given) => {
    step += 1;
    if (step === Number(killedAt)) process.kill(process.pid, 'SIGKILL');
    return operation(...given);
  };
}
syncBuiltinESMExports();

const { beginReset, finishReset } = await import('#gateway/system/factory-reset.ts');
await beginReset(folder);
await finishReset(folder);

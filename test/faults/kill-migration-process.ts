import { DatabaseSync } from 'node:sqlite';
import { openStore } from '#cloud/store/store.ts';
import { createLog } from '#lib/log.ts';

// Opens the store in a folder and exits before the statement of the given number; prints the number of statements otherwise.

const [dataDir, dieBefore] = process.argv.slice(2) as [string, string];
let statements = 0;
const { prepare } = DatabaseSync.prototype;
DatabaseSync.prototype.prepare = function counting(this: DatabaseSync, ...given) {
  if (++statements === Number(dieBefore)) process.kill(process.pid, 'SIGKILL');
  return prepare.apply(this, given);
};
const store = await openStore({ dataDir, databaseUrl: undefined, log: createLog({ level: 'silent', name: 'test' }) });
await store.close();
console.log(statements);

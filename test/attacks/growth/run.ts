// node test/attacks/growth/run.ts              measures every case and prints the table
// node test/attacks/growth/run.ts --document   writes the table into docs/performance.md
import { join } from 'node:path';
import { parseCommandLine } from '../../command-line.ts';
import { writeBetweenMarks } from '../../docs/document-tables.ts';
import { root } from '../../source-files.ts';
import { faultsOf, measureGrowth } from './measure.ts';
import { openGrowth } from './open-growth.ts';
import { type MeasuredCase, tableOf } from './table.ts';

const { values: options } = parseCommandLine(import.meta.filename, { options: { document: { type: 'boolean' } } });

await using growth = await openGrowth();
const measured: MeasuredCase[] = [];
for (const growthCase of growth.cases) {
  const figures = await measureGrowth(growthCase);
  measured.push({ growthCase, figures });
  for (const fault of faultsOf(growthCase, figures)) {
    console.error(`${growthCase.covers.join(', ')}: ${growthCase.what}: ${fault}`);
    process.exitCode = 1;
  }
}
const table = tableOf(measured);
if (options.document) writeBetweenMarks(join(root, 'docs/performance.md'), 'growth', () => table);
else console.log(table);

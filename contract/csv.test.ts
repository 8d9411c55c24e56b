import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvText } from './csv.ts';

test('no text becomes a formula in a spreadsheet, and numbers stay numbers', () => {
  const rows = [
    { name: '=HYPERLINK("https://evil.example","Pay here")', amount: -1.5 },
    { name: '@x', amount: 0 },
    { name: 'Fee, yearly', amount: null },
  ];
  assert.equal(
    csvText(['name', 'amount'], rows),
    `name,amount\n"'=HYPERLINK(""https://evil.example"",""Pay here"")",-1.5\n'@x,0\n"Fee, yearly",\n`,
  );
});

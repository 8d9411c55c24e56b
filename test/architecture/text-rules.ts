import type { Rule } from './rule.ts';
import { linesWith } from './scan.ts';

const longestFile = 400;
const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/;

/** A rule that allows a piece of code in some files only. */
function onlyIn(allowed: RegExp, says: string, code: RegExp, wrong: Rule['wrong']): Rule {
  return {
    says,
    wrong,
    findings: (sources) =>
      sources
        .filter(({ path }) => !allowed.test(path))
        .flatMap((source) => linesWith(code, source).map((line) => `${source.path}:${line} has ${code.source}`)),
  };
}

export const textRules: Rule[] = [
  onlyIn(
    /(^|\/)main\.ts$|^web\/vite\.config\.ts$|^(cli|test|bench)\//,
    'the environment is read only in main.ts, cli, test and bench, and where the pages are built',
    /\bprocess\.env\b/,
    [
      { path: 'cloud/wrong.ts', text: 'const port = process.env.PORT;' },
      { path: 'lib/wrong.ts', text: `const url = \`http://\${process.env.HOST}/\`;` },
    ],
  ),
  onlyIn(
    /(^|\/)main\.ts$|^(cli|test|bench)\/|^lib\/lifecycle\.ts$/,
    'the process is ended only in main.ts, cli, test, bench and lib/lifecycle.ts',
    /\bprocess\.exit\b/,
    [{ path: 'gateway/wrong.ts', text: '// now\nprocess.exit(1);' }],
  ),
  onlyIn(
    /^lib\/clock(\.test)?\.ts$|^web\/parts\/now\.ts$|^(cli|test|bench)\//,
    'the time of day comes from lib/clock.ts, in the pages from web/parts/now.ts, except in cli, test and bench',
    /\bDate\.now\b|\bnew Date(?:\(\s*\)|\s*[;,)\].])/,
    [
      { path: 'cloud/wrong.ts', text: 'const at = Date.now();' },
      { path: 'price/wrong.ts', text: 'const at = new Date();' },
      { path: 'web/platform/wrong.ts', text: 'const at = Date.now();' },
    ],
  ),
  {
    says: `no file has more than ${longestFile} lines`,
    findings: (sources) =>
      sources
        .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
        .filter(({ lines }) => lines > longestFile)
        .map(({ path, lines }) => `${path}:${longestFile + 1} is one of ${lines} lines`),
    wrong: [{ path: 'lib/wrong.ts', text: 'export {};\n'.repeat(longestFile + 1) }],
  },
  {
    says: 'files and folders are named in kebab-case',
    findings: (sources) =>
      sources
        .filter(({ path }) => !path.split('/').every((name) => kebabCase.test(name)))
        .map(({ path }) => `${path}:1`),
    wrong: [
      { path: 'lib/WrongName.ts', text: '' },
      { path: 'cloud/wrong_folder/right.ts', text: '' },
    ],
  },
];

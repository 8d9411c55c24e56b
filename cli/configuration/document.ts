import { Problem } from '#contract/problem.ts';
import { type Setting, settingsOf } from '#lib/config/setting.ts';
import { type Program, programNames, programs } from './programs.ts';
import { meaning } from './setting-text.ts';

const begin = (program: Program): string => `<!-- settings of ${program}: written by ohmstead config docs -->`;
const end = '<!-- end of settings -->';

/** A document in Markdown with the tables between its marks as the schemas have them now. */
export const withTables = (document: string): string => programNames.reduce(withTable, document);

function withTable(document: string, program: Program): string {
  const [before, after] = document.split(`${begin(program)}\n`);
  const stop = after?.indexOf(`${end}\n`) ?? -1;
  if (before === undefined || after === undefined || stop < 0) {
    throw new Problem('unprocessable', `The document lacks a line ${begin(program)}, or ${end} behind it.`);
  }
  return `${before}${begin(program)}\n${tableOf(program)}${after.slice(stop)}`;
}

const tableOf = (program: Program): string =>
  ['', '| Variable | Default | Meaning |', '|---|---|---|', ...settingsOf(programs[program]).map(row), '']
    .map((line) => `${line}\n`)
    .join('');

function row([name, setting]: [string, Setting]): string {
  const fallback = String(setting.default ?? '');
  const cells = [`\`${name}\``, fallback === '' ? '-' : `\`${fallback}\``, marked(meaning(setting))];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** Words that are code are marked as such: what has a character in it that words do not have. */
const marked = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part) =>
      part.startsWith('`') ? part : part.replaceAll(codeWord, '$1`$2`').replaceAll(documentName, '[$&](../$&)'),
    )
    .join('');

const codeWord = /(^|[\s(])((?=\/|[^\s`]*(?:[<>*_=]|:\/\/))[^\s`]*?)(?=[.,;:)]*(?:\s|$))/g;
const documentName = /\b[A-Z]+\.md\b/g;

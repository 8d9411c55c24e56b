import type { Document, YAMLError } from 'yaml';
import type { FileMistake, TextPosition } from './entry.ts';

// In our words: those of the parser may quote the file, and what they quote may be a secret.
const sentences: Partial<Record<YAMLError['code'], string>> = {
  TAB_AS_INDENT: 'A tab stands where spaces are expected.',
  BAD_INDENT: 'The line is not indented like those around it.',
  MISSING_CHAR: 'A quote, bracket, brace, comma or colon is missing.',
  BLOCK_AS_IMPLICIT_KEY: 'A second key: value stands on this line; put it on its own, or put the value in quotes.',
  MULTILINE_IMPLICIT_KEY: 'A key goes over several lines; a colon may be missing.',
  BAD_SCALAR_START: 'The value begins with a character that means something else in YAML; put it in quotes.',
  BAD_ALIAS: 'The value begins with *, which names another value; put it in quotes.',
  BAD_DQ_ESCAPE: 'The backslash begins an escape that does not exist; use single quotes.',
  TAG_RESOLVE_FAILED: 'The value begins with !, which names a type; put it in quotes.',
  MULTIPLE_DOCS: 'A second document begins here; one is expected.',
  RESOURCE_EXHAUSTION: 'This is nested too deep.',
};

/** These spoil one value; others spoil the lines that follow too. */
const ofOneValue: readonly YAMLError['code'][] = [
  'BAD_SCALAR_START',
  'BAD_ALIAS',
  'BAD_DQ_ESCAPE',
  'TAG_RESOLVE_FAILED',
  'MULTIPLE_DOCS',
];

/** What is no YAML, once for each line; `brokenLine` is the first line from which on nothing is sure. */
export function syntaxMistakes(
  { errors, warnings }: Document.Parsed,
  placeOf: (offset: number) => TextPosition,
): { mistakes: FileMistake[]; brokenLine: number } {
  const byLine = new Map<number, FileMistake>();
  let brokenLine = Number.POSITIVE_INFINITY;
  for (const { code, pos } of [...errors, ...warnings]) {
    const place = placeOf(pos[0]);
    const says = sentences[code] ?? 'This is not YAML.';
    if (!byLine.has(place.line)) byLine.set(place.line, { ...place, says });
    if (!ofOneValue.includes(code)) brokenLine = Math.min(brokenLine, place.line);
  }
  return { mistakes: [...byLine.values()], brokenLine };
}

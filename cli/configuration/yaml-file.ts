import { type Document, isAlias, isMap, isScalar, LineCounter, type Node, parseDocument, type YAMLError } from 'yaml';
import { didYouMean, findNearest, suggest } from '../line/nearest.ts';
import { keyOf, type Program, programNames, settingOf, variablesOf } from './programs.ts';

export type TextPosition = { line: number; column: number };

export type ConfigEntry = TextPosition & { variable: string; setting: string; key: string; text: string };

export type FileMistake = TextPosition & { message: string };

type Parsed = { entries: Record<Program, readonly ConfigEntry[]>; mistakes: readonly FileMistake[] };

/** Parses a configuration file and lists every mistake in its form. The programs check the values. */
export function parseConfigFile(text: string): Parsed {
  const lines = new LineCounter();
  // Repeated keys are detected below; the parser would compare every key with every other.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const placeOf = (offset = 0): TextPosition => {
    const { line, col: column } = lines.linePos(offset);
    return { line, column };
  };
  const syntax = syntaxMistakes(document, placeOf);
  const reader = createYamlReader(document, placeOf);
  const entries: Record<Program, ConfigEntry[]> = { cloud: [], gateway: [], price: [] };

  for (const { key, at, value } of reader.pairs(document.contents, 'The file')) {
    if (isProgram(key)) entries[key] = section(key, value, reader);
    else reader.mistake(at, `${shown(key)} is not a section${misplaced(key)}`);
  }
  // After a syntax error the structure is unreliable.
  const isReliable = ({ line }: FileMistake): boolean => line < syntax.brokenLine;
  return { entries, mistakes: [...syntax.mistakes, ...reader.mistakes.filter(isReliable)] };
}

function section(program: Program, node: Node | null, reader: YamlReader): ConfigEntry[] {
  const entries: ConfigEntry[] = [];
  for (const { key, at, value } of reader.pairs(node, program)) {
    const variable = key.toUpperCase();
    const setting = settingOf(program, variable);
    if (setting === undefined || key !== keyOf(key)) {
      reader.mistake(at, `${shown(key)} is not a setting of ${program}${nearby(program, key)}`);
      continue;
    }
    const text = reader.text(value, key, at);
    const twin = entries.find((other) => other.setting === setting);
    if (twin) reader.mistake(at, `${key} and ${twin.key} are both set; use only one.`);
    else if (text) entries.push({ variable, setting, key, text: text.text, ...text.place });
  }
  return entries;
}

type Found = { key: string; at: TextPosition; value: Node | null };

type YamlReader = ReturnType<typeof createYamlReader>;

function createYamlReader(document: Document.Parsed, placeOf: (offset?: number) => TextPosition) {
  const mistakes: FileMistake[] = [];
  const mistake = (at: TextPosition, says: string): void => void mistakes.push({ ...at, message: says });
  const startOf = (node: Node | null): TextPosition => placeOf(node?.range?.[0]);
  // Follows an alias once and only for the value of a setting, so that aliases cannot multiply the input.
  const followed = (node: Node | null): Node | null | undefined => (isAlias(node) ? node.resolve(document) : node);

  return {
    mistakes,
    mistake,

    /** Yields the entries of a mapping, each key once. A missing node counts as empty. */
    *pairs(node: Node | null, what: string): Generator<Found> {
      const map = followed(node);
      if (map === null || (isScalar(map) && map.value === null)) return;
      if (!isMap<Node, Node | null>(map)) {
        mistake(startOf(node), `${what} is ${kindOf(map)}; expected one key: value per line.`);
        return;
      }
      const seen = new Set<string>();
      for (const { key: keyNode, value } of map.items) {
        const at = startOf(keyNode);
        const key = isScalar(keyNode) ? String(keyNode.value) : '';
        if (seen.has(key)) mistake(at, `${shown(key)} is set twice.`);
        else yield { key, at, value };
        seen.add(key);
      }
    },

    /** Returns the text of a value as it would be in an environment variable; undefined for an empty value. */
    text(node: Node | null, key: string, at: TextPosition): { text: string; place: TextPosition } | undefined {
      const value = followed(node);
      if (value === undefined) {
        mistake(startOf(node), `${key} starts with *, which refers to another value; put it in quotes.`);
        return undefined;
      }
      if (value === null || (isScalar(value) && value.value === null)) return undefined;
      if (!isScalar(value)) {
        mistake(startOf(node), `${key} is ${kindOf(value)}; expected a single value.`);
        return undefined;
      }
      const text = (value.source ?? String(value.value)).replace(/\r?\n$/, ''); // like the value of a _FILE variable
      return text === '' ? undefined : { text, place: node?.range ? startOf(node) : at };
    },
  };
}

const isProgram = (key: string): key is Program => programNames.some((name) => name === key);

const kindOf = (node: Node | undefined): string => {
  if (isMap(node)) return 'a mapping';
  return isScalar(node) ? 'a single value' : 'a list';
};

/** Returns a key for a message only if it looks like one; other text may be part of a secret. */
const shown = (key: string): string => (/^[A-Za-z][\w-]{0,39}$/.test(key) ? key : 'This key');

/** Suggests the section of a misplaced setting, or the nearest section name. */
function misplaced(key: string): string {
  const owners = ownersOf(key);
  if (owners.length > 0) return `; put it under ${owners.map((owner) => `${owner}:`).join(' or ')}.`;
  return didYouMean(key.toLowerCase(), programNames);
}

function nearby(program: Program, key: string): string {
  const suggestion = findNearest(key.toLowerCase(), variablesOf(program).map(keyOf));
  const [owner] = ownersOf(key);
  return owner && suggestion !== keyOf(key) ? `; it belongs under ${owner}:.` : suggest(suggestion);
}

const ownersOf = (key: string): Program[] =>
  programNames.filter((program) => settingOf(program, key.toUpperCase()) !== undefined);

// Own messages: those of the parser may quote the file, which may contain secrets.
const sentences: Partial<Record<YAMLError['code'], string>> = {
  TAB_AS_INDENT: 'Indented with a tab; use spaces.',
  BAD_INDENT: 'The indentation differs from the lines around it.',
  MISSING_CHAR: 'A quote, bracket, brace, comma or colon is missing.',
  BLOCK_AS_IMPLICIT_KEY: 'A second key: value on the same line; put it on its own line, or put the value in quotes.',
  MULTILINE_IMPLICIT_KEY: 'A key spans several lines; a colon may be missing.',
  BAD_SCALAR_START: 'The value starts with a character that has a special meaning in YAML; put it in quotes.',
  BAD_ALIAS: 'The value starts with *, which refers to another value; put it in quotes.',
  BAD_DQ_ESCAPE: 'Unknown escape sequence after a backslash; use single quotes.',
  TAG_RESOLVE_FAILED: 'The value starts with !, which names a type; put it in quotes.',
  MULTIPLE_DOCS: 'A second document starts here; only one is allowed.',
  RESOURCE_EXHAUSTION: 'Nested too deeply.',
};

/** These errors affect one value; others make the lines after them unreliable. */
const isOfOneValue = (code: YAMLError['code']): boolean =>
  /^(BAD_SCALAR_START|BAD_ALIAS|BAD_DQ_ESCAPE|TAG_RESOLVE_FAILED|MULTIPLE_DOCS)$/.test(code);

/** Lists the YAML syntax errors, one for each line. From `brokenLine` on the structure is unreliable. */
function syntaxMistakes(
  { errors, warnings }: Document.Parsed,
  placeOf: (offset: number) => TextPosition,
): { mistakes: FileMistake[]; brokenLine: number } {
  const byLine = new Map<number, FileMistake>();
  let brokenLine = Number.POSITIVE_INFINITY;
  for (const { code, pos } of [...errors, ...warnings]) {
    const place = placeOf(pos[0]);
    const says = sentences[code] ?? 'Invalid YAML.';
    if (!byLine.has(place.line)) byLine.set(place.line, { ...place, message: says });
    if (!isOfOneValue(code)) brokenLine = Math.min(brokenLine, place.line);
  }
  return { mistakes: [...byLine.values()], brokenLine };
}

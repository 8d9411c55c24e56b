import { type Document, isAlias, isMap, isScalar, LineCounter, type Node, type Pair, parseDocument } from 'yaml';
import { didYouMean, nearest } from '../line/nearest.ts';
import type { Entry, FileMistake, TextPosition } from './entry.ts';
import { keyOf, type Program, programNames, settingOf, variablesOf } from './programs.ts';
import { syntaxMistakes } from './yaml-syntax.ts';

type Parsed = { entries: Record<Program, readonly Entry[]>; mistakes: readonly FileMistake[] };

/** What a configuration file says, with every mistake in its form. Values are checked by who reads them. */
export function parseConfigFile(text: string): Parsed {
  const lines = new LineCounter();
  // Repeated keys are looked for below: the parser compares each with all others.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false });
  const placeOf = (offset = 0): TextPosition => {
    const { line, col: column } = lines.linePos(offset);
    return { line, column };
  };
  const syntax = syntaxMistakes(document, placeOf);
  const walk = createWalk(document, placeOf);
  const entries = Object.fromEntries(programNames.map((program) => [program, [] as Entry[]])) as Record<
    Program,
    Entry[]
  >;

  for (const { key, at, value } of walk.pairs(document.contents, 'The file')) {
    if (isProgram(key)) entries[key] = section(key, value, walk);
    else walk.mistake(at, `${shown(key)} is no section${misplaced(key)}`);
  }
  // Behind a broken line nobody knows what belongs where.
  const isSure = ({ line }: FileMistake): boolean => line < syntax.brokenLine;
  return { entries, mistakes: [...syntax.mistakes, ...walk.mistakes.filter(isSure)] };
}

function section(program: Program, node: Node | null, walk: Walk): Entry[] {
  const entries: Entry[] = [];
  for (const { key, at, value } of walk.pairs(node, program)) {
    const variable = key.toUpperCase();
    if (settingOf(program, variable) === undefined || key !== keyOf(key)) {
      walk.mistake(at, `${shown(key)} is no setting of ${program}${nearby(program, key)}`);
      continue;
    }
    const text = walk.text(value, key, at);
    const twin = entries.find((other) => settingOf(program, other.variable) === settingOf(program, variable));
    if (twin) walk.mistake(at, `${key} and ${twin.key} are both set; expected one of them.`);
    else if (text) entries.push({ variable, key, text: text.text, ...text.place });
  }
  return entries;
}

type Found = { key: string; at: TextPosition; value: Node | null };

type Walk = ReturnType<typeof createWalk>;

function createWalk(document: Document.Parsed, placeOf: (offset?: number) => TextPosition) {
  const mistakes: FileMistake[] = [];
  const mistake = (at: TextPosition, says: string): void => void mistakes.push({ ...at, says });
  const startOf = (node: Node | null): TextPosition => placeOf(node?.range?.[0]);
  // An alias is followed once and only where a setting stands, so that nothing can multiply.
  const followed = (node: Node | null): Node | null | undefined => (isAlias(node) ? node.resolve(document) : node);

  return {
    mistakes,
    mistake,

    /** The keys of a mapping, each once. Nothing at all is an empty one. */
    *pairs(node: Node | null, what: string): Generator<Found> {
      const map = followed(node);
      if (map === null || (isScalar(map) && map.value === null)) return;
      if (!isMap(map)) {
        mistake(startOf(node), `${what} is ${kindOf(map)}; expected settings, one to a line as key: value.`);
        return;
      }
      const seen = new Set<string>();
      for (const { key: keyNode, value } of map.items as Pair<Node, Node | null>[]) {
        const at = startOf(keyNode);
        const key = isScalar(keyNode) ? String(keyNode.value) : '';
        if (seen.has(key)) mistake(at, `${shown(key)} is there a second time.`);
        else yield { key, at, value };
        seen.add(key);
      }
    },

    /** The text of a value, exactly as it would stand in a variable; undefined when there is none. */
    text(node: Node | null, key: string, at: TextPosition): { text: string; place: TextPosition } | undefined {
      const value = followed(node);
      if (value === undefined) {
        mistake(startOf(node), `${key} begins with *, which names another value; put it in quotes.`);
        return undefined;
      }
      if (value === null || (isScalar(value) && value.value === null)) return undefined;
      if (!isScalar(value)) {
        mistake(startOf(node), `${key} is ${kindOf(value)}; expected a single value.`);
        return undefined;
      }
      const text = (value.source ?? String(value.value)).replace(/\r?\n$/, ''); // as of a file that is named
      return text === '' ? undefined : { text, place: node?.range ? startOf(node) : at };
    },
  };
}

const isProgram = (key: string): key is Program => (programNames as string[]).includes(key);

const kindOf = (node: Node | undefined): string => {
  if (isMap(node)) return 'a mapping';
  return isScalar(node) ? 'a single value' : 'a list';
};

/** A key is shown when it looks like one: what does not may be a part of a secret. */
const shown = (key: string): string => (/^[A-Za-z][\w-]{0,39}$/.test(key) ? key : 'This key');

/** A setting outside of its section, or a section with a slip in it. */
function misplaced(key: string): string {
  const owners = ownersOf(key);
  if (owners.length > 0) return `; put it under ${owners.map((owner) => `${owner}:`).join(' or ')}.`;
  return didYouMean(nearest(key.toLowerCase(), programNames));
}

function nearby(program: Program, key: string): string {
  const suggestion = nearest(key.toLowerCase(), variablesOf(program).map(keyOf));
  const [owner] = ownersOf(key);
  return owner && suggestion !== keyOf(key) ? `; it belongs under ${owner}:.` : didYouMean(suggestion);
}

const ownersOf = (key: string): Program[] =>
  programNames.filter((program) => settingOf(program, key.toUpperCase()) !== undefined);

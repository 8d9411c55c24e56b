import { markdownTable, writeBetweenMarks } from '../docs/document-tables.ts';
import type { Proof, Proven } from './proof.ts';

const header = ['Proof', 'What is counted', 'Tried', 'Failed', 'Planted bug', 'Of version'];
const noVersion = '-';
const notYet = 'not yet tried in full on this version';

type Named = Pick<Proof, 'id' | 'what' | 'full'>;

/** `S8` names all of `S8 P1`, `S8 XML` and so on. */
export const isNamed = (names: readonly string[], { id }: Pick<Proof, 'id'>): boolean =>
  names.includes(id.split(' ')[0]!);

/** Writes the figures of the proofs that a document names between its marks. */
export function writeFigures(file: string, proofs: readonly Named[], proven: readonly Proven[]): void {
  const byId = new Map(proven.map((line) => [line.id, line]));
  writeBetweenMarks(file, 'proof', (names, standing) => {
    const rows = proofs
      .filter((proof) => isNamed(names, proof))
      .map((proof) => rowOf(proof, byId.get(proof.id)) ?? standingRow(standing, proof.id) ?? untried(proof));
    return markdownTable(header, rows);
  });
}

/** A figure counts for a promise only when all of it was tried. */
function rowOf({ id, what }: Named, line: Proven | undefined): string[] | undefined {
  if (!line?.in_full) return undefined;
  const { tried, failed, planted_bug_caught, version = noVersion } = line;
  return [id, what, spaced(tried), spaced(failed), planted_bug_caught ? 'noticed' : 'NOT noticed', version];
}

/** Keeps figures that were measured elsewhere, where this copy of the repository has none. */
function standingRow(standing: string, id: string): string[] | undefined {
  const line = standing.split('\n').find((text) => text.startsWith(`| ${id} | `));
  const cells = line?.slice(2, -2).split(' | ');
  return cells && cells[2] !== notYet ? [...cells, noVersion].slice(0, header.length) : undefined;
}

const untried = ({ id, what }: Named): string[] => [id, what, notYet, '', '', ''];

const spaced = (number: number): string => String(number).replace(/\B(?=(\d{3})+$)/g, ' ');

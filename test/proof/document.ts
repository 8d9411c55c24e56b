import { readFileSync } from 'node:fs';
import { markdownTable, writeBetweenMarks } from '../docs/document-tables.ts';
import type { Proof, Proven } from './proof.ts';

const header = ['Proof', 'What is counted', 'Tried', 'Failed', 'Planted bug', 'Of version'];
const noVersion = '-';
const notYet = 'not yet tried in full on this version';
const [caught, missed, untold] = ['noticed', 'NOT noticed', 'not tried'];

type Named = Pick<Proof, 'id' | 'what' | 'full'>;

/** `S8` names all of `S8 P1`, `S8 XML` and so on. */
export const isNamed = (names: readonly string[], { id }: Pick<Proof, 'id'>): boolean =>
  names.includes(id.split(' ')[0]!);

/** Writes the figures of the proofs that a document names between its marks. Other rows stay. */
export function writeFigures(file: string, proofs: readonly Named[], proven: readonly Proven[]): void {
  const byId = new Map(proven.map((line) => [line.id, line]));
  writeBetweenMarks(file, 'proof', (names, standing) => {
    const rows = proofs
      .filter((proof) => isNamed(names, proof))
      .map((proof) => rowOf(proof, byId.get(proof.id)) ?? standingRow(standing, proof.id) ?? untried(proof));
    return markdownTable(header, rows);
  });
}

/** Reads the figure of a proof. */
export function readFigure(file: string, id: string): Proven | undefined {
  const [, , tried, failed, planted, version] = standingRow(readFileSync(file, 'utf8'), id) ?? [];
  if (tried === undefined || failed === undefined) return undefined;
  const [soFar = '', full] = tried.split(' of ');
  return {
    id,
    tried: unspaced(soFar),
    failed: unspaced(failed),
    in_full: full === undefined,
    planted_bug_caught: planted === caught,
    ...(version !== undefined && version !== noVersion && { version }),
  };
}

/** An interrupted proof has `50 of 200` trials, so that it can continue on another machine. */
function rowOf({ id, what, full }: Named, line: Proven | undefined): string[] | undefined {
  if (!line) return undefined;
  const { tried, failed, in_full, planted_bug_caught, version = noVersion } = line;
  const planted = planted_bug_caught ? caught : in_full ? missed : untold;
  return [id, what, in_full ? spaced(tried) : `${spaced(tried)} of ${spaced(full)}`, spaced(failed), planted, version];
}

function standingRow(standing: string, id: string): string[] | undefined {
  const line = standing.split('\n').find((text) => text.startsWith(`| ${id} | `));
  const cells = line?.slice(2, -2).split(' | ');
  return cells && cells[2] !== notYet ? [...cells, noVersion].slice(0, header.length) : undefined;
}

const untried = ({ id, what }: Named): string[] => [id, what, notYet, '', '', ''];

const spaced = (number: number): string => String(number).replace(/\B(?=(\d{3})+$)/g, ' ');
const unspaced = (text: string): number => Number(text.replaceAll(' ', ''));

import type { Component } from './eltariff.ts';

/** How much of a peak counts by where it is: in max(peak(high),peak(low)/2) one of low counts half. */
export function shareOf(reference: string, peakFunction: string): number {
  const found = [...peakFunction.matchAll(/peak\((\w+)\)\s*([/*])\s*([\d.]+)/g)].find(([, name]) => name === reference);
  if (!found) return 1;
  return found[2] === '/' ? 1 / Number(found[3]) : Number(found[3]);
}

/** Reactive power is charged for beside the active power, which kilowatts are. */
export const isReactive = ({ name, reference, peakIdentificationSettings: peak }: Component): boolean =>
  /rea[ck]ti/i.test(`${name} ${reference} ${peak?.peakFunction}`);

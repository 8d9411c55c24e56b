import type { Load } from '../../parts/load.tsx';
import type { Span } from './energy.ts';

/** Without the value while it is of another span: what was loaded last stays until the next is there, and when that fails. */
export function ofSpan<T extends { span: Span } | undefined>(load: Load<T>, { from, to }: Span): Load<T> {
  const { value, ...rest } = load;
  return value && value.span.from === from && value.span.to === to ? load : rest;
}

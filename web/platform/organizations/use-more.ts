import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type Action, useAction } from '../../parts/action.tsx';
import { nextPiece } from './next-piece.ts';

export type More<Item> = { items: readonly Item[]; isAll: boolean; fetchMore: Action };

/** A long list a piece at a time, from the first: `open` begins it anew whenever `inputs` change. */
export function useMore<Item>(open: () => AsyncGenerator<Item>, size: number, inputs: readonly unknown[]): More<Item> {
  const items = useSignal<readonly Item[]>([]);
  const isAll = useSignal(false);
  const list = useRef<AsyncGenerator<Item>>(undefined);

  const fetchMore = useAction(async () => {
    const piece = await nextPiece(() => list.current, size);
    items.value = [...items.peek(), ...piece];
    isAll.value = piece.length < size;
  });

  useEffect(() => {
    list.current = open();
    items.value = [];
    isAll.value = false;
    void fetchMore.run();
  }, inputs);

  return { items: items.value, isAll: isAll.value, fetchMore };
}

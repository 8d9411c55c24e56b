import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';

type Props = { label: string; children(close: () => void): ComponentChildren };

/** For what cannot be taken back: it opens a question, and the question does it. */
export function DangerButton({ label, children }: Props) {
  const isAsking = useSignal(false);
  const ask = (asks: boolean): void => {
    isAsking.value = asks;
  };
  return (
    <>
      <button type="button" class="danger" onClick={() => ask(true)}>
        {label}
      </button>
      {isAsking.value && children(() => ask(false))}
    </>
  );
}

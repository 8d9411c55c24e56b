import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useAction, whileBusy } from './action.tsx';
import { Field } from './field.tsx';
import { Failed } from './notice.tsx';
import { texts } from './text.ts';

const t = texts({
  close: ['Close', 'Stäng'],
  cancel: ['Cancel', 'Avbryt'],
  type: ['Type {name} to confirm', 'Skriv {name} för att bekräfta'],
});

/** A modal dialog of the browser, which traps the focus and closes on Escape. */
export function Dialog({ title, onClose, children }: { title: string; onClose(): void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" class="quiet" aria-label={t('close')} onClick={() => dialog.current?.close()}>
          ✕
        </button>
      </header>
      {children}
    </dialog>
  );
}

type ConfirmProps = {
  title: string;
  submit: string;
  work(): Promise<unknown>;
  onClose(): void;
  /** a name to type first, where much is deleted at once */
  typed?: string;
  children: ComponentChildren;
};

/** Asks for confirmation before something irreversible. Closes on success and stays open on failure. */
export function Confirm({ title, submit, work, onClose, typed, children }: ConfirmProps) {
  const entered = useSignal('');
  const form = useRef<HTMLFormElement>(null);
  const close = (): void => form.current?.closest('dialog')?.close(); // returns the focus to the button
  const act = useAction(async () => {
    await work();
    close();
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        ref={form}
        onSubmit={(event) => {
          event.preventDefault();
          void act.run();
        }}
      >
        {children}
        {typed !== undefined && <Field label={t('type', { name: typed })} value={entered} />}
        <Failed problem={act.problem} />
        <div class="actions">
          <button
            type="submit"
            class="danger"
            disabled={typed !== undefined && entered.value.trim() !== typed.trim()}
            {...whileBusy(act)}
          >
            {submit}
          </button>
          <button type="button" onClick={close}>
            {t('cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

type ConfirmButtonProps = Omit<ConfirmProps, 'title' | 'submit' | 'onClose'> & {
  label: string;
  /** tells the buttons of several rows apart */
  ariaLabel?: string;
  title?: string;
  submit?: string;
  tone?: 'danger' | 'plain' | 'quiet';
  isDisabled?: boolean;
};

/** A button whose work begins after a confirmation, which has its label unless told otherwise. */
export function ConfirmButton(props: ConfirmButtonProps) {
  const { label, ariaLabel, title = label, submit = label, tone = 'danger', isDisabled = false, ...confirm } = props;
  const isAsking = useSignal(false);
  return (
    <>
      <button
        type="button"
        class={tone}
        aria-label={ariaLabel}
        disabled={isDisabled}
        onClick={() => (isAsking.value = true)}
      >
        {label}
      </button>
      {isAsking.value && (
        <Confirm title={title} submit={submit} {...confirm} onClose={() => (isAsking.value = false)} />
      )}
    </>
  );
}

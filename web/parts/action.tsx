import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { editable } from './bound-value.ts';
import { Field, Switch } from './field.tsx';
import { Failed } from './layout.tsx';
import { texts } from './text.ts';

const t = texts({
  close: 'Close',
  cancel: 'Cancel',
  type: 'Type {name} to confirm',
});

export type Action<Result = unknown> = {
  isBusy: boolean;
  /** of the last run, as is the result */
  problem?: unknown;
  result?: Result;
  run(): Promise<void>;
  /** Forgets the result. */
  clear(): void;
};

/** Runs work that a person starts: at most once at a time, keeping the result or the problem of the last run. */
export function useAction<Result>(work: () => Promise<Result>): Action<Result> {
  const state = useSignal<Pick<Action<Result>, 'isBusy' | 'problem' | 'result'>>({ isBusy: false });
  return {
    ...state.value,
    async run() {
      if (state.peek().isBusy) return;
      state.value = { isBusy: true };
      try {
        state.value = { result: await work(), isBusy: false };
      } catch (problem) {
        state.value = { problem, isBusy: false };
      }
    },
    clear: () => (state.value = { isBusy: false }),
  };
}

/** Marks a button as busy. Unlike `disabled`, this keeps the focus on it. */
export const whileBusy = ({ isBusy }: Action) => ({ 'aria-disabled': isBusy, 'aria-busy': isBusy });

type ButtonProps = {
  label: ComponentChildren;
  onClick(): unknown;
  /** tells the buttons of several rows apart */
  ariaLabel?: string | undefined;
  tone?: 'main' | 'plain' | 'danger' | 'quiet';
  isDisabled?: boolean;
} & Partial<ReturnType<typeof whileBusy>>;

/** A button that does not submit a form. */
export const Button = ({ label, onClick, ariaLabel, tone, isDisabled = false, ...busy }: ButtonProps) => (
  <button
    type="button"
    class={tone}
    aria-label={ariaLabel}
    disabled={isDisabled}
    {...busy}
    onClick={() => void onClick()}
  >
    {label}
  </button>
);

type ActionButtonProps = Pick<ButtonProps, 'label' | 'ariaLabel' | 'tone' | 'isDisabled'> & { does: Action };

export const ActionButton = ({ does, tone = 'main', ...button }: ActionButtonProps) => (
  <>
    <Button tone={tone} {...button} {...whileBusy(does)} onClick={does.run} />
    <Failed problem={does.problem} />
  </>
);

/** A switch of a value that the server has: it changes when the action has succeeded. */
export const ActionSwitch = ({ label, isOn, does }: { label: string; isOn: boolean; does: Action }) => (
  <>
    <Switch label={label} value={editable(isOn, () => void does.run())} isDisabled={does.isBusy} />
    <Failed problem={does.problem} />
  </>
);

type FormProps = {
  does: Action;
  submit: string;
  tone?: 'main' | 'plain' | 'danger';
  isDisabled?: boolean;
  class?: string;
  children: ComponentChildren;
  beside?: ComponentChildren;
};

/** A form that runs one action and shows its problem above the button. */
export function ActionForm({ does, submit, tone = 'main', isDisabled = false, children, beside, ...rest }: FormProps) {
  return (
    <form
      {...rest}
      onSubmit={(event) => {
        event.preventDefault();
        void does.run();
      }}
    >
      {children}
      <Failed problem={does.problem} />
      <div class="actions">
        <button type="submit" class={tone} disabled={isDisabled} {...whileBusy(does)}>
          {submit}
        </button>
        {beside}
      </div>
    </form>
  );
}

/** A modal dialog of the browser, which traps the focus and closes on Escape. */
export function Dialog({ title, onClose, children }: { title: string; onClose(): void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} aria-labelledby={id} onClose={onClose}>
      <header>
        <h2 id={id}>{title}</h2>
        <Button tone="quiet" label="✕" ariaLabel={t('close')} onClick={() => dialog.current?.close()} />
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
  /** one paragraph or several */
  says?: string | readonly string[];
  children?: ComponentChildren;
};

/** Asks for confirmation before something irreversible. Closes on success and stays open on failure. */
export function Confirm({ title, submit, work, onClose, typed, says = [], children }: ConfirmProps) {
  const entered = useSignal('');
  const cancel = useRef<HTMLButtonElement>(null);
  const close = (): void => cancel.current?.closest('dialog')?.close(); // returns the focus to the button
  const act = useAction(async () => {
    await work();
    close();
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <ActionForm
        does={act}
        submit={submit}
        tone="danger"
        isDisabled={typed !== undefined && entered.value.trim() !== typed.trim()}
        beside={
          <button type="button" ref={cancel} onClick={close}>
            {t('cancel')}
          </button>
        }
      >
        {[says].flat().map((text) => (
          <p key={text}>{text}</p>
        ))}
        {children}
        {typed !== undefined && <Field label={t('type', { name: typed })} value={entered} />}
      </ActionForm>
    </Dialog>
  );
}

type ConfirmButtonProps = Omit<ConfirmProps, 'title' | 'submit' | 'onClose'> & {
  label: string;
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
      <Button {...{ label, ariaLabel, tone, isDisabled }} onClick={() => (isAsking.value = true)} />
      {isAsking.value && (
        <Confirm title={title} submit={submit} {...confirm} onClose={() => (isAsking.value = false)} />
      )}
    </>
  );
}

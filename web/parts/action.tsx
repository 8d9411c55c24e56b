import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Failed } from './notice.tsx';

export type Action = { isBusy: boolean; problem: unknown; run(): Promise<boolean> };

/** Runs work that a person starts: at most once at a time, keeping the problem of the last run. */
export function useAction(work: () => Promise<unknown>): Action {
  const isBusy = useSignal(false);
  const problem = useSignal<unknown>(undefined);
  return {
    isBusy: isBusy.value,
    problem: problem.value,
    async run() {
      if (isBusy.peek()) return false;
      isBusy.value = true;
      problem.value = undefined;
      try {
        await work();
        return true;
      } catch (error) {
        problem.value = error;
        return false;
      } finally {
        isBusy.value = false;
      }
    },
  };
}

/** Marks a button as busy. Unlike `disabled`, this keeps the focus on it. */
export const whileBusy = ({ isBusy }: Action) => ({ 'aria-disabled': isBusy, 'aria-busy': isBusy });

type ButtonProps = {
  does: Action;
  tone?: 'main' | 'plain' | 'danger';
  isDisabled?: boolean;
  children: ComponentChildren;
};

export function ActionButton({ does, tone = 'main', isDisabled = false, children }: ButtonProps) {
  return (
    <>
      <button type="button" class={tone} disabled={isDisabled} {...whileBusy(does)} onClick={() => void does.run()}>
        {children}
      </button>
      <Failed problem={does.problem} />
    </>
  );
}

type FormProps = {
  does: Action;
  submit: string;
  class?: string;
  children: ComponentChildren;
  beside?: ComponentChildren;
};

/** A form that runs one action and shows its problem above the button. */
export function ActionForm({ does, submit, children, beside, ...rest }: FormProps) {
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
        <button type="submit" class="main" {...whileBusy(does)}>
          {submit}
        </button>
        {beside}
      </div>
    </form>
  );
}

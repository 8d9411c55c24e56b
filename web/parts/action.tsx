import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Failed } from './notice.tsx';

export type Action = { isBusy: boolean; problem: unknown; run(): Promise<boolean> };

/** Something a person starts: busy until it is done, and what went wrong stays to be read. */
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

/** A button of something that is under way: it does nothing more, and keeps the focus, which one that is disabled would lose. */
export const whileBusy = ({ isBusy }: Action) => ({ 'aria-disabled': isBusy, 'aria-busy': isBusy });

type ButtonProps = {
  does: Action;
  tone?: 'main' | 'plain' | 'danger';
  isDisabled?: boolean;
  children: ComponentChildren;
};

export function ActionButton({ does, tone = 'main', isDisabled = false, children }: ButtonProps) {
  return (
    <button type="button" class={tone} disabled={isDisabled} {...whileBusy(does)} onClick={() => void does.run()}>
      {children}
    </button>
  );
}

type FormProps = {
  does: Action;
  submit: string;
  class?: string;
  children: ComponentChildren;
  beside?: ComponentChildren;
};

/** A form that does one thing; its problem is shown above its button. */
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
      {does.problem !== undefined && <Failed problem={does.problem} />}
      <div class="actions">
        <button type="submit" class="main" {...whileBusy(does)}>
          {submit}
        </button>
        {beside}
      </div>
    </form>
  );
}

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useAction, whileBusy } from './action.tsx';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';
import { Failed } from './notice.tsx';
import { texts } from './text.ts';

const t = texts({
  en: { cancel: 'Leave it as it is', type: 'Type {name} to go on' },
  sv: { cancel: 'Låt det vara', type: 'Skriv {name} för att fortsätta' },
});

type ConfirmProps = {
  title: string;
  submit: string;
  work(): Promise<unknown>;
  onClose(): void;
  /** must be typed first: for what takes more with it than one thing */
  typed?: string;
  children: ComponentChildren;
};

/** Asks before something that cannot be taken back. It closes when it is done, and stays when it failed. */
export function Confirm({ title, submit, work, onClose, typed, children }: ConfirmProps) {
  const said = useSignal('');
  const act = useAction(async () => {
    await work();
    onClose();
  });
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void act.run();
        }}
      >
        {children}
        {typed !== undefined && <Field label={t('type', { name: typed })} value={said} />}
        {act.problem !== undefined && <Failed problem={act.problem} />}
        <div class="actions">
          <button
            type="submit"
            class="danger"
            disabled={typed !== undefined && said.value.trim() !== typed.trim()}
            {...whileBusy(act)}
          >
            {submit}
          </button>
          <button type="button" onClick={(event) => event.currentTarget.closest('dialog')?.close()}>
            {t('cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect } from 'preact/hooks';
import { Problem } from '#contract/problem.ts';
import { describeProblem } from './problem-words.ts';
import { texts } from './text.ts';

const product = document.title; // as served

type HeadProps = {
  title: string;
  says?: ComponentChildren;
  /** buttons */
  children?: ComponentChildren;
  /** keeps the room of the buttons until it is known whether they are shown */
  isUndecided?: boolean;
};

/** Shows the heading of a page and sets the title of the document. */
export function PageHead({ title, says, children, isUndecided = false }: HeadProps) {
  useLayoutEffect(() => {
    document.title = `${title} · ${product}`;
    return () => {
      document.title = product;
    };
  }, [title]);
  return (
    <div class="page-head">
      <div>
        <h1>{title}</h1>
        {says && <p class="says">{says}</p>}
      </div>
      {children && <div class={isUndecided ? 'actions undecided' : 'actions'}>{children}</div>}
    </div>
  );
}

const t = texts({
  again: 'Try again',
  details: 'Details',
  failed: 'Something went wrong.',
  loading: 'Loading',
});

type Tone = 'good' | 'plain' | 'warning' | 'problem';

export function Notice({ tone = 'plain', children }: { tone?: Tone; children: ComponentChildren }) {
  return (
    <div class={`notice ${tone}`} role={tone === 'problem' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

function problemText(problem: unknown): ReturnType<typeof describeProblem> {
  if (problem instanceof Problem) return describeProblem(problem);
  return { says: problem instanceof Error ? problem.message : t('failed') };
}

/** Shows a problem, if any, in the language of the page, and below it the detail that the server sent in English. */
export function Failed({ problem, again }: { problem: unknown; again?: () => void }) {
  if (problem === undefined) return null;
  const { says, detail } = problemText(problem);
  return (
    <Notice tone="problem">
      <p>{says}</p>
      {detail && <p lang="en">{detail}</p>}
      {again && (
        <button type="button" onClick={again}>
          {t('again')}
        </button>
      )}
    </Notice>
  );
}

/** Shows that there is nothing yet, and what to do about it. */
export function Empty({ title, says, children }: { title: string; says?: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {says && <p class="says">{says}</p>}
      {children}
    </div>
  );
}

export function Loading({ lines = 3 }: { lines?: number }) {
  return (
    <div class="loading" role="status" aria-label={t('loading')}>
      {Array.from({ length: lines }, (_, i) => (
        <span key={i} />
      ))}
    </div>
  );
}

type CardProps = {
  title: string;
  /** distinguishes cards with the same title */
  subtitle?: string;
  beside?: ComponentChildren;
  says?: ComponentChildren;
  class?: string;
  children: ComponentChildren;
};

export function Card({ title, subtitle, beside, says, class: more = '', children }: CardProps) {
  const id = useId();
  return (
    <section class={`card ${more}`} aria-labelledby={id}>
      <header>
        <h2 id={id}>
          {title} {subtitle && <small class="soft">{subtitle}</small>}
        </h2>
        {beside}
      </header>
      {says && <p class="says">{says}</p>}
      {children}
    </section>
  );
}

/** A card as a step of an ordered list. */
export const Step = (card: CardProps) => (
  <li>
    <Card {...card} />
  </li>
);

export function Figure({ label, value, more }: { label: string; value: ComponentChildren; more?: ComponentChildren }) {
  return (
    <div class="figure">
      <span class="label">{label}</span>
      <span class="value">{value}</span>
      {more && <span class="more">{more}</span>}
    </div>
  );
}

export type Fact = [name: string, value: ComponentChildren];

/** Details for support and programs, such as identifiers; closed at first. */
export const Details = ({ children }: { children: ComponentChildren }) => (
  <details class="details">
    <summary>{t('details')}</summary>
    {children}
  </details>
);

/** Lists names with their values; a name without a value is left out. */
export function Facts({ of }: { of: readonly Fact[] }) {
  return (
    <dl class="facts">
      {of
        .filter(([, value]) => value !== undefined && value !== '')
        .map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name} is`}>{value}</dd>])}
    </dl>
  );
}

export type Column<Row> = {
  title: string;
  show(row: Row): ComponentChildren;
  isNumber?: boolean;
  /** has only buttons, which paper leaves out */
  isAction?: boolean;
};

const classOf = ({ isNumber, isAction }: { isNumber?: boolean; isAction?: boolean }): string | undefined =>
  isNumber ? 'number' : isAction ? 'action' : undefined;

export type TableProps<Row> = {
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string | number;
};

/** A table for screen readers; on a small screen each row becomes a card. */
export function Table<Row>({ caption, columns, rows, keyOf }: TableProps<Row>) {
  return (
    <div class="table">
      <table>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" class={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.title} data-title={column.title} class={classOf(column)}>
                  {column.show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export const TableCard = <Row,>({ title, ...table }: { title: string } & Omit<TableProps<Row>, 'caption'>) => (
  <Card title={title}>
    <Table caption={title} {...table} />
  </Card>
);

import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

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

type FigureProps = { label: string; value: ComponentChildren; more?: ComponentChildren };

export function Figure({ label, value, more }: FigureProps) {
  return (
    <div class="figure">
      <span class="label">{label}</span>
      <span class="value">{value}</span>
      {more && <span class="more">{more}</span>}
    </div>
  );
}

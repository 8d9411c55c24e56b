import type { ComponentChildren } from 'preact';

export type Fact = [name: string, value: ComponentChildren];

/** Names with what they are; one without a value is left out. */
export function Facts({ of }: { of: readonly Fact[] }) {
  return (
    <dl class="facts">
      {of
        .filter(([, value]) => value !== undefined && value !== '')
        .map(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name} is`}>{value}</dd>])}
    </dl>
  );
}

import type { ComponentChildren } from 'preact';

export type Fact = [name: string, value: ComponentChildren];

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

import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

const axeSource = readFileSync(new URL(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

type Finding = { id: string; impact: string; help: string; nodes: { target: string[]; any: { message: string }[] }[] };

// Rules that can find nothing worse than this are skipped.
const beside = `Object.fromEntries(
  axe._audit.rules.filter(({ impact }) => ['minor', 'moderate'].includes(impact)).map(({ id }) => [id, { enabled: false }]),
)`;

// Off by default in axe: what is pressed has 24 pixels, or room around it.
const rules = `({ ...${beside}, 'target-size': { enabled: true } })`;

/** Lists violations that axe reports, one line each. */
export async function accessibilityFindings(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(axeSource);
  const violations = await page.evaluate<Finding[]>(
    `axe.run({ resultTypes: ['violations'], rules: ${rules} }).then((r) => r.violations)`,
  );
  return violations
    .filter(({ impact }) => ['serious', 'critical'].includes(impact))
    .map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map(described).join('; ')})`);
}

const described = ({ target, any }: Finding['nodes'][number]): string =>
  [target.join(' '), any[0]?.message].filter(Boolean).join(' ');

/** What varies in the title of a test that is made from a table. */
const anything = '…';

const calls = /\b(?:test|suite|describe|it)\(\s*(?:(['"`])((?:\\.|(?!\1)[^\\])*)\1|(\w+),)/g;
const literals = /(['"`])((?:\\.|(?!\1)[^\\\n])*)\1/g;

/**
 * Whether a test file has a test, or a suite, of exactly this title. Where a title is made from a table, what stands in the
 * place of the variable is a whole text of the file, or … for all of them.
 */
export function hasTest(source: string, title: string): boolean {
  const texts = new Set([...source.matchAll(literals)].map(([, , text]) => plain(text!)));
  return [...source.matchAll(calls)].some(([, quote, text, name]) => {
    if (quote !== '`' && !name) return plain(text!) === title;
    const parts = name ? ['', ''] : text!.split(/\$\{[^}]*\}/).map(plain);
    const filled = new RegExp(`^${parts.map(escaped).join('(.+)')}$`).exec(title);
    return filled?.slice(1).every((piece) => piece === anything || texts.has(piece)) ?? false;
  });
}

const plain = (text: string): string => text.replaceAll(/\\(.)/g, '$1');

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Text that is already HTML. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | false | undefined | Html | readonly Part[];

/** Builds HTML from a template. Values are escaped unless they are Html; false and undefined are omitted. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(String.raw({ raw: strings }, ...parts.map(textOf)));

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return part ? part.map(textOf).join('') : '';
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

export const joined = (parts: readonly (string | Html)[], between: string): Html =>
  html`${parts.map((part, index) => html`${index > 0 && between}${part}`)}`;

/** Renders a sentence in which `backticks` mark code. */
export const prose = (text: string): Html =>
  html`${text.split('`').map((piece, index) => (index % 2 ? html`<code>${piece}</code>` : piece))}`;

/** Marks our own style sheet as safe: it contains nothing that could end its element. */
export const asStyle = (css: string): Html => new Html(css);

/** Text that is HTML already. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = string | number | false | undefined | Html | readonly Part[];

/** HTML from a template: what is put in is escaped unless it is Html itself; false and undefined leave nothing. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(String.raw({ raw: strings }, ...parts.map(textOf)));

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === 'string' || typeof part === 'number') return escapeHtml(String(part));
  return part ? part.map(textOf).join('') : '';
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character]!);

/** Parts with something between them. */
export const joined = (parts: readonly (string | Html)[], between: string): Html =>
  html`${parts.map((part, index) => html`${index > 0 && between}${part}`)}`;

/** A sentence in which `backticks` mark code. */
export const prose = (text: string): Html =>
  html`${text.split('`').map((piece, index) => (index % 2 ? html`<code>${piece}</code>` : piece))}`;

/** Our own style sheet, which holds nothing that could end its element. */
export const asStyle = (css: string): Html => new Html(css);

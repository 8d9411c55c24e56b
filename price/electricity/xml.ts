import { SourceError } from './source.ts';

/** An element, with names without their prefix and its direct text. */
export type XmlElement = {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: XmlElement[];
  text: string;
};

/** Thrown for a document that is not well-formed or not supported. */
export class XmlError extends SourceError {
  override name = 'XmlError';

  constructor(message: string) {
    super('malformed', message);
  }
}

const maxChars = 5_000_000;
const maxElements = 100_000;
const maxDepth = 32;
const maxTagLength = 2000;

const tagForm = /^(?:[\w.-]+:)?([A-Za-z_][\w.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*$/;
const attributeForm = /\s(?:[\w.-]+:)?([\w.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Parses elements, attributes and text. Rejects document types, custom entities and CDATA sections. */
export function parseXml(text: string): XmlElement {
  if (text.length > maxChars) throw new XmlError('The document is too long.');
  const open: XmlElement[] = [];
  let root: XmlElement | undefined;
  let count = 0;
  let at = afterDeclaration(text);

  for (;;) {
    const tag = text.indexOf('<', at);
    addText(open.at(-1), text.slice(at, tag < 0 ? text.length : tag));
    if (tag < 0) break;
    if (text.startsWith('<!--', tag)) {
      at = after(text, '-->', tag + 4);
      continue;
    }
    at = after(text, '>', tag);
    if (at - tag > maxTagLength) throw new XmlError('A tag is too long.');
    const inside = text.slice(tag + 1, at - 1);
    if (inside.startsWith('!') || inside.startsWith('?'))
      throw new XmlError('Only elements and comments are supported.');

    if (inside.startsWith('/')) {
      const name = elementOf(inside.slice(1)).name;
      if (open.pop()?.name !== name) throw new XmlError(`</${name}> has no opening tag.`);
      continue;
    }
    const isEmpty = inside.endsWith('/');
    const element = elementOf(isEmpty ? inside.slice(0, -1) : inside);
    if (++count > maxElements) throw new XmlError('The document has too many elements.');
    if (open.length === maxDepth) throw new XmlError('The document is nested too deeply.');
    if (open.length === 0 && root) throw new XmlError('The document has two roots.');
    root ??= element;
    open.at(-1)?.children.push(element);
    if (!isEmpty) open.push(element);
  }
  if (!root || open.length > 0) throw new XmlError('The document ends too early.');
  return root;
}

export const childrenOf = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter((child) => child.name === name);

/** Returns the text of the first child of this name; throws when it contains elements. */
export function textOf(element: XmlElement, name: string): string | undefined {
  const found = element.children.find((child) => child.name === name);
  if (found && found.children.length > 0) throw new XmlError(`<${name}> contains elements instead of text.`);
  return found?.text.trim();
}

function afterDeclaration(text: string): number {
  const start = text.startsWith('\uFEFF') ? 1 : 0;
  return text.startsWith('<?xml ', start) ? after(text, '?>', start) : start;
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  if (found < 0) throw new XmlError('The document ends too early.');
  return found + mark.length;
}

const noAttributes: ReadonlyMap<string, string> = new Map();

function elementOf(tag: string): XmlElement {
  const [, name, listed] = tagForm.exec(tag) ?? [];
  if (name === undefined) throw new XmlError('A tag is not well formed.');
  const attributes = listed
    ? new Map([...listed.matchAll(attributeForm)].map(([, key = '', a, b]) => [key, decode(a ?? b ?? '')]))
    : noAttributes;
  return { name, attributes, children: [], text: '' };
}

function addText(inside: XmlElement | undefined, text: string): void {
  if (inside) inside.text += decode(text);
  else if (text.trim() !== '') throw new XmlError('There is text outside the root element.');
}

function decode(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(\w{0,4};)?/g, (_, name: string | undefined) => {
    const character = entities[name?.slice(0, -1) ?? ''];
    if (character === undefined) throw new XmlError('Only the five predefined XML entities are supported.');
    return character;
  });
}

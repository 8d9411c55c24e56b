import { parseAst } from 'vite';

/** A change of a few characters of a source file. */
export type Mutant = { start: number; end: number; text: string; line: number };

type Node = { type: string; start: number; end: number; [field: string]: unknown };

const operators: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&': '|',
  '|': '&',
  '<<': '>>',
  '>>': '<<',
  '>>>': '<<',
  '&&': '||',
  '||': '&&',
  '??': '&&',
  '+=': '-=',
  '-=': '+=',
  '++': '--',
  '--': '++',
};

/** Lists the mutants of a TypeScript source: other operators, conditions, numbers and booleans, and statements left out. */
export function mutantsOf(source: string): Mutant[] {
  const mutants: Mutant[] = [];
  const add = ({ start, end }: { start: number; end: number }, text: string): void => {
    mutants.push({ start, end, text, line: source.slice(0, start).split('\n').length });
  };

  function addOperator(node: Node, from: number, to: number): void {
    const text = operators[String(node.operator)];
    const start = source.indexOf(String(node.operator), from);
    if (text !== undefined && start >= from && start < to)
      add({ start, end: start + String(node.operator).length }, text);
  }

  function mutate(node: Node): void {
    const { type, left, right, test } = node;
    if (isNode(left) && isNode(right) && 'operator' in node) addOperator(node, left.end, right.start);
    else if (type === 'UpdateExpression') addOperator(node, node.start, node.end);
    else if (type === 'UnaryExpression' && node.operator === '!') add({ start: node.start, end: node.start + 1 }, '');
    else if (type === 'Literal' && typeof node.value === 'number')
      add(node, `(${source.slice(node.start, node.end)} + 1)`);
    else if (type === 'Literal' && typeof node.value === 'boolean') add(node, String(!node.value));
    else if (type === 'ExpressionStatement' && isCall(node.expression)) add(node, ';');
    if ((type === 'IfStatement' || type === 'ConditionalExpression') && isNode(test)) {
      add(test, 'true');
      add(test, 'false');
    }
  }

  function walk(value: unknown): void {
    if (Array.isArray(value)) {
      for (const each of value) walk(each);
      return;
    }
    if (!isNode(value) || value.type.startsWith('TS') || value.type.startsWith('Import')) {
      if (isNode(value) && isNode(value.expression)) walk(value.expression); // a cast or a non-null assertion
      return;
    }
    mutate(value);
    for (const field of Object.values(value)) walk(field);
  }

  walk(parseAst(source, { lang: 'ts' }).body);
  return mutants;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

const isCall = (value: unknown): boolean =>
  isNode(value) && (value.type === 'CallExpression' || (value.type === 'AwaitExpression' && isCall(value.argument)));

import { parseSync, Visitor } from 'vite';
import { isName, isUserText, isUserTextInMarkup, NO_USER_TEXT } from './user-text.ts';

/** Range of the source, in UTF-16 units. */
export type Range = { start: number; end: number };

/** Parts of a sentence: literal text, and places where the source inserts a value or an element. */
export type Part =
  | { kind: 'words'; text: string }
  | ({ kind: 'place'; mark: string } & Range)
  | ({ kind: 'element'; mark: string; parts: Part[]; opening: Range; closing: Range } & Range);

/** A sentence in a source file. */
export type Sentence = Range & {
  /** Id in the catalogue: the English text with `{0}` for inserted values and `<0>…</0>` for elements. */
  id: string;
  /** Plural form, if the sentence counts something. */
  many?: string;
  /** Syntax in the source: a string, a string given to an element, a template, or the children of an element. */
  kind: 'string' | 'attribute' | 'template' | 'children';
  parts: Part[];
};

type Node = Range & { type: string; [key: string]: unknown };
type Place = { attribute?: string; element?: string };

/** Returns every sentence of a source file, outer ones before those nested in them. @param path decides the syntax */
export function findSentences(path: string, source: string): Sentence[] {
  const { program, errors } = parseSync(path, source);
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
  const found: Sentence[] = [];
  walk(program as unknown as Node, {}, found);
  return found;
}

/**
 * Strings of a source file that are names for the program, because they are a type or are compared with something. A
 * screen shows such a value by another sentence.
 */
export function findNames(path: string, source: string): string[] {
  const names: unknown[] = [];
  const add = (node: unknown) => isNode(node) && node.type === 'Literal' && names.push(node.value);
  new Visitor({
    TSLiteralType: ({ literal }) => void add(literal),
    SwitchCase: ({ test }) => void add(test),
    BinaryExpression({ operator, left, right }) {
      if (operator !== '+') [left, right].forEach(add);
    },
  }).visit(parseSync(path, source).program);
  return names.filter((name) => typeof name === 'string');
}

function walk(node: Node, place: Place, found: Sentence[]): void {
  const visit = visitors[node.type];
  if (visit !== undefined) return visit(node, place, found);
  // TypeScript's own nodes are about types, except for an expression inside them.
  if (node.type.startsWith('TS')) return isNode(node.expression) ? walk(node.expression, place, found) : undefined;
  walkChildren(node, place, found);
}

function walkChildren(node: Node, place: Place, found: Sentence[]): void {
  for (const child of Object.values(node).flat()) if (isNode(child)) walk(child, place, found);
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
const nothing = () => undefined;

const visitors: Record<string, (node: Node, place: Place, found: Sentence[]) => void> = {
  Literal(node, place, found) {
    if (typeof node.value === 'string') addString(node, node.value, place, found);
  },
  TemplateLiteral(node, place, found) {
    const parts = partsOfTemplate(node);
    const id = toId(parts);
    if (isUserText(id, place.attribute)) found.push({ id, kind: 'template', parts, start: node.start, end: node.end });
    for (const inner of node.expressions as Node[]) walk(inner, place, found);
  },
  Property(node, place, found) {
    if (node.computed === true) walk(node.key as Node, place, found);
    const attribute = nameOf(node.key as Node);
    if (!isName(attribute)) walk(node.value as Node, { ...place, attribute }, found);
  },
  MemberExpression: (node, place, found) => walk(node.object as Node, place, found),
  CallExpression(node, place, found) {
    const callee = nameOf(node.callee as Node);
    walk(node.callee as Node, place, found);
    const [count, ...rest] = node.arguments as Node[];
    if (callee === 'plural' && count !== undefined) {
      walk(count, place, found);
      return rest.forEach((word) => addCounted(word, found));
    }
    if (!NO_USER_TEXT.calls.has(callee)) for (const given of node.arguments as Node[]) walk(given, {}, found);
  },
  NewExpression(node, place, found) {
    if (!NO_USER_TEXT.calls.has(nameOf(node.callee as Node))) walkChildren(node, place, found);
  },
  BinaryExpression(node, place, found) {
    if (node.operator === '+') return walkChildren(node, place, found);
    // Compared strings are not sentences but the name of a key or a choice.
    for (const side of [node.left, node.right] as Node[]) if (side.type !== 'Literal') walk(side, place, found);
  },
  SwitchCase(node, place, found) {
    for (const child of node.consequent as Node[]) walk(child, place, found);
  },
  /** `accountClass` returns class names. */
  FunctionDeclaration(node, place, found) {
    if (!/[a-z]Class$/.test(nameOf((node.id ?? node) as Node))) walkChildren(node, place, found);
  },
  ImportDeclaration: nothing,
  ExportAllDeclaration: nothing,
  ExportNamedDeclaration: (node, place, found) => isNode(node.declaration) && walk(node.declaration, place, found),
  ImportExpression: nothing,
  JSXElement(node, place, found) {
    const opening = node.openingElement as Node;
    const element = nameOf(opening.name as Node);
    for (const attribute of opening.attributes as Node[]) walk(attribute, { element }, found);
    walkMarkup(node, { element }, found);
  },
  JSXFragment: (node, _place, found) => walkMarkup(node, {}, found),
  JSXAttribute(node, { element }, found) {
    const attribute = nameOf(node.name as Node);
    const value = node.value;
    if (!isNode(value) || isName(attribute)) return;
    const place = { attribute, ...(element !== undefined && { element }) };
    if (value.type === 'Literal') addString(value, String(value.value), place, found, 'attribute');
    else walk(value, place, found);
  },
  JSXText: nothing,
};

function addString(node: Node, id: string, place: Place, found: Sentence[], kind: Sentence['kind'] = 'string'): void {
  if (!isUserText(id, place.attribute)) return;
  found.push({ id, kind, parts: [{ kind: 'words', text: id }], start: node.start, end: node.end });
}

function addCounted(node: Node, found: Sentence[]): void {
  if (node.type !== 'Literal') return walkChildren(node, {}, found);
  const id = String(node.value);
  const parts: Part[] = [{ kind: 'words', text: id }];
  found.push({ id, many: `${id}s`, kind: 'string', parts, start: node.start, end: node.end });
}

/** The text between an element's tags is one sentence, including the elements and values in it. */
function walkMarkup(node: Node, place: Place, found: Sentence[]): void {
  const children = node.children as Node[];
  const isCode = place.element !== undefined && NO_USER_TEXT.elements.has(place.element);
  if (isCode || !hasOwnWords(children)) {
    for (const child of children) walk(child, {}, found);
    return;
  }
  const within = trimPlain(children);
  const [first, last] = [within[0], within.at(-1)];
  if (first === undefined || last === undefined) return;
  const parts = partsOfMarkup(within, { places: 0, elements: 0 });
  found.push({ id: toId(parts), kind: 'children', parts, start: first.start, end: last.end });
  walkBetween(parts, within, found);
  for (const child of children) if (!within.includes(child)) walk(child, {}, found);
}

/** Values inserted into a sentence can contain sentences of their own. */
function walkBetween(parts: Part[], nodes: Node[], found: Sentence[]): void {
  for (const node of nodes) {
    const part = parts.find((one) => one.kind !== 'words' && one.start === node.start);
    if (part?.kind === 'element' && part.parts.length > 0) {
      const opening = node.openingElement as Node;
      for (const attribute of opening.attributes as Node[])
        walk(attribute, { element: nameOf(opening.name as Node) }, found);
      walkBetween(part.parts, node.children as Node[], found);
    } else if (part !== undefined) walk(node, {}, found);
  }
}

const hasOwnWords = (children: Node[]): boolean => children.some((child) => isUserTextInMarkup(wordsOf(child) ?? ''));

/** Leaves out icons before and after the text. */
function trimPlain(children: Node[]): Node[] {
  const isPart = (child: Node) =>
    child.type === 'JSXElement' ? hasAnyWords(child) : isExpression(child) || (wordsOf(child) ?? '').trim() !== '';
  const from = children.findIndex(isPart);
  return children.slice(from, children.findLastIndex(isPart) + 1);
}

const isExpression = (child: Node): boolean =>
  child.type === 'JSXExpressionContainer' && (child.expression as Node).type !== 'JSXEmptyExpression';

function hasAnyWords(element: Node): boolean {
  const name = nameOf((element.openingElement as Node).name as Node);
  if (NO_USER_TEXT.elements.has(name)) return false;
  const children = element.children as Node[];
  return hasOwnWords(children) || children.some((child) => child.type === 'JSXElement' && hasAnyWords(child));
}

function partsOfMarkup(children: Node[], counts: { places: number; elements: number }): Part[] {
  return children.flatMap((child): Part[] => {
    const text = wordsOf(child);
    if (text !== undefined) return text === '' ? [] : [{ kind: 'words', text }];
    const range = { start: child.start, end: child.end };
    if (child.type !== 'JSXElement') {
      return isExpression(child) ? [{ kind: 'place', mark: `{${counts.places++}}`, ...range }] : [];
    }
    const mark = `<${counts.elements++}>`;
    const [opening, closing] = [child.openingElement as Node, child.closingElement];
    const parts = hasAnyWords(child) ? partsOfMarkup(child.children as Node[], counts) : [];
    return [{ kind: 'element', mark, parts, opening, closing: isNode(closing) ? closing : opening, ...range }];
  });
}

/**
 * Returns the text as JSX reads it: a line break with its surrounding spaces is one space between words and nothing at
 * the ends.
 */
function wordsOf(node: Node): string | undefined {
  if (node.type === 'JSXExpressionContainer') {
    const { type, value } = node.expression as Node;
    return type === 'Literal' && typeof value === 'string' ? value : undefined;
  }
  if (node.type !== 'JSXText') return undefined;
  const lines = String(node.value).split('\n');
  return lines
    .map((line, at) => (at > 0 ? line.trimStart() : line))
    .map((line, at) => (at < lines.length - 1 ? line.trimEnd() : line))
    .filter((line) => line !== '')
    .join(' ');
}

function partsOfTemplate(node: Node): Part[] {
  const expressions = node.expressions as Node[];
  return (node.quasis as Node[]).flatMap((quasi, at): Part[] => {
    const text = (quasi.value as { cooked: string }).cooked;
    const inner = expressions[at];
    const words: Part[] = text === '' ? [] : [{ kind: 'words', text }];
    return inner === undefined
      ? words
      : [...words, { kind: 'place', mark: `{${at}}`, start: inner.start, end: inner.end }];
  });
}

export function toId(parts: Part[]): string {
  const written = parts.map((part) => {
    if (part.kind === 'words') return part.text;
    if (part.kind === 'place') return part.mark;
    return part.parts.length === 0
      ? part.mark.replace('>', '/>')
      : `${part.mark}${toId(part.parts)}${part.mark.replace('<', '</')}`;
  });
  return written.join('');
}

/** Returns the name of an attribute or property: `b` for `a.b`, `aria-label`; empty for anything else. */
function nameOf(node: Node): string {
  if (node.type === 'MemberExpression' || node.type === 'JSXMemberExpression') return nameOf(node.property as Node);
  if (node.type === 'JSXNamespacedName') return '';
  if (node.type === 'Literal') return String(node.value);
  return typeof node.name === 'string' ? node.name : '';
}

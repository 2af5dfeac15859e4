import { type AnyNode, type Comment, type FunctionDeclaration, type Program, parse } from 'acorn';

/** A function at the top level of Code.js, with the comment directly above it. */
export type Stub = { name: string; parameters: string[]; comment: string; declaration: FunctionDeclaration };

type Parsed = { code: string; program: Program; comments: Comment[] };

let last: Parsed | undefined;

/**
 * Parses JavaScript for Apps Script and the sidebar, which support ES2020 without modules. @throws SyntaxError for
 * newer syntax.
 */
export function parseScript(code: string): Program {
  return parsed(code).program;
}

/** Keeps the last parsed code, because several checks read the same code one after the other. */
function parsed(code: string): Parsed {
  if (last?.code === code) return last;
  const comments: Comment[] = [];
  const program = parse(code, { ecmaVersion: 2020, sourceType: 'script', onComment: comments });
  last = { code, program, comments };
  return last;
}

/** Returns the functions at the top level. Cells, pages, menus and triggers can call them. */
export function readStubs(code: string): Stub[] {
  const { program, comments } = parsed(code);
  return program.body.flatMap((node) => (node.type === 'FunctionDeclaration' ? [readStub(node, code, comments)] : []));
}

function readStub(declaration: FunctionDeclaration, code: string, comments: readonly Comment[]): Stub {
  const above = comments.find(
    (comment) => comment.end <= declaration.start && code.slice(comment.end, declaration.start).trim() === '',
  );
  return {
    name: declaration.id.name,
    parameters: declaration.params.map((parameter) => code.slice(parameter.start, parameter.end)),
    comment: above?.type === 'Block' ? above.value : '',
    declaration,
  };
}

/** Returns true when the function's JSDoc has `@customfunction`, which makes Google Sheets list it as a formula. */
export function isFormula(stub: Stub): boolean {
  return /@customfunction\b/.test(stub.comment);
}

/** Calls `seen` for every node below `node`, with its parent and the name of the parent's member that contains it. */
export function visit(node: AnyNode, seen: (node: AnyNode, parent: AnyNode, member: string) => void): void {
  for (const member of Object.keys(node)) {
    const value: unknown = node[member as keyof AnyNode];
    if (typeof value !== 'object' || value === null) continue;
    for (const child of Array.isArray(value) ? value : [value]) {
      if (!isNode(child)) continue;
      seen(child, node, member);
      visit(child, seen);
    }
  }
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** Returns the name of an identifier node, or the type of any other node. */
export function nameOf(node: AnyNode): string {
  return 'name' in node && typeof node.name === 'string' ? node.name : node.type;
}

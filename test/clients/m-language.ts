import { DefaultSettings, Language, TaskUtils } from '@microsoft/powerquery-parser';
import {
  expectKind,
  field,
  MError,
  type MRecord,
  type MTable,
  recordOf,
  sameValue,
  type Thunk,
  type Value,
} from './m-values.ts';

const { NodeKind } = Language.Ast;
type Node = Language.Ast.TNode;
type Of<Kind extends Node['kind']> = Extract<Node, { kind: Kind }>;

/** Returns the value of a name in an M program, or undefined for an unknown name. */
type Scope = (name: string) => Thunk | undefined;

/** Parses a program in Power Query M with Microsoft's parser. @throws Error with the message of the parser. */
export async function parseM(source: string): Promise<Node> {
  const task = await TaskUtils.tryLexParse(DefaultSettings, source);
  if (TaskUtils.isParseStageOk(task)) return task.ast;
  throw new Error(TaskUtils.isError(task) ? task.error.message : 'The source was not parsed.');
}

/** Evaluates an M program lazily and checks its type annotations. `library` looks up the functions of the M library. */
export function evaluate(node: Node, library: Scope): Promise<Value> {
  return compute(node, (name) => library(name));
}

async function compute(node: Node, scope: Scope): Promise<Value> {
  switch (node.kind) {
    case NodeKind.LiteralExpression:
      return literal(node.literal, node.literalKind);
    case NodeKind.IdentifierExpression:
      // `@name` refers to the name inside its own definition. A let scope always contains the names that it defines.
      return named(node.identifier.literal, scope)();
    case NodeKind.LetExpression:
      return compute(node.expression, letScope(node, scope));
    case NodeKind.IfExpression:
      return compute((await truth(node.condition, scope)) ? node.trueExpression : node.falseExpression, scope);
    case NodeKind.ListExpression:
      return inOrder(
        node.content.elements.map(
          ({ node: item }) =>
            () =>
              compute(item, scope),
        ),
      );
    case NodeKind.RecordExpression:
      return recordExpression(node, scope);
    case NodeKind.RecursivePrimaryExpression:
      return primary(node, scope);
    case NodeKind.FieldSelector:
      return field(await named('_', scope)(), nameOf(node.content.literal));
    case NodeKind.ParenthesizedExpression:
      return compute(node.content, scope);
    case NodeKind.EachExpression:
      return { is: 'function', call: async ([item = null]) => compute(node.paired, within(scope, { _: item })) };
    case NodeKind.FunctionExpression:
      return functionExpression(node, scope);
    case NodeKind.TypePrimaryType:
      return { is: 'type', name: typeName(node.paired) };
    case NodeKind.ErrorHandlingExpression:
      return handled(node, scope);
    case NodeKind.UnaryExpression:
      return negation(node, scope);
    case NodeKind.LogicalExpression:
      return logical(node, scope);
    case NodeKind.ArithmeticExpression:
    case NodeKind.EqualityExpression:
    case NodeKind.RelationalExpression:
      return operation(
        node.operatorConstant.constantKind,
        await compute(node.left, scope),
        await compute(node.right, scope),
      );
    default:
      throw new Error(`${node.kind} is not modelled`);
  }
}

function literal(text: string, kind: string): Value {
  if (kind === 'Text') return text.slice(1, -1).replaceAll('""', '"');
  if (kind === 'Numeric') return Number(text);
  return kind === 'Null' ? null : text === 'true';
}

/** Returns a name of Power Query M without its quotes: `#"x-api-key"` becomes `x-api-key`. */
function nameOf(identifier: string): string {
  return /^#"(.*)"$/s.exec(identifier)?.[1] ?? identifier;
}

function named(identifier: string, scope: Scope): Thunk {
  const thunk = scope(nameOf(identifier));
  if (thunk === undefined) throw new Error(`The name ${identifier} is not known`);
  return thunk;
}

function within(scope: Scope, names: Record<string, Value>): Scope {
  return (name) => {
    const value = names[name];
    return value === undefined ? scope(name) : async () => value;
  };
}

function once(work: Thunk): Thunk {
  let result: Promise<Value> | undefined;
  return () => {
    result ??= work();
    return result;
  };
}

async function inOrder(thunks: Thunk[]): Promise<Value[]> {
  const values: Value[] = [];
  for (const thunk of thunks) values.push(await thunk());
  return values;
}

function letScope(node: Of<typeof NodeKind.LetExpression>, scope: Scope): Scope {
  const names = new Map<string, Thunk>();
  const inner: Scope = (name) => names.get(name) ?? scope(name);
  for (const { node: pair } of node.variableList.elements) {
    const name = nameOf(pair.key.literal);
    if (names.has(name)) throw new Error(`The Power Query code defines ${name} twice in one let expression.`);
    names.set(
      name,
      once(() => compute(pair.value, inner)),
    );
  }
  return inner;
}

function recordExpression(node: Of<typeof NodeKind.RecordExpression>, scope: Scope): MRecord {
  const fields = new Map<string, Thunk>();
  for (const { node: pair } of node.content.elements) {
    fields.set(
      nameOf(pair.key.literal),
      once(() => compute(pair.value, scope)),
    );
  }
  return { is: 'record', fields };
}

/** Evaluates a value, then the calls and the accesses `{…}` (item) and `[…]` (field) that follow the value. */
async function primary(node: Of<typeof NodeKind.RecursivePrimaryExpression>, scope: Scope): Promise<Value> {
  let value = await compute(node.head, scope);
  for (const step of node.recursiveExpressions.elements) {
    if (step.kind === NodeKind.InvokeExpression) {
      const args = await inOrder(step.content.elements.map((element) => () => compute(element.node, scope)));
      expectKind(value, 'function');
      value = await (value as Extract<Value, { is: 'function' }>).call(args);
    } else if (step.kind === NodeKind.FieldSelector) value = await field(value, nameOf(step.content.literal));
    else if (step.kind === NodeKind.ItemAccessExpression) value = await item(value, await compute(step.content, scope));
    else throw new Error(`${step.kind} is not modelled`);
  }
  return value;
}

async function item(value: Value, key: Value): Promise<Value> {
  if (Array.isArray(value) && typeof key === 'number' && key < value.length) return value[key] ?? null;
  if (value === null || typeof value !== 'object' || !('rows' in value))
    throw new MError('Expression.Error', 'There is no such item.');
  const row = typeof key === 'number' ? value.rows[key] : await rowWith(value, key);
  if (row === undefined) throw new MError('Expression.Error', "The key didn't match any rows in the table.");
  return recordOf(Object.fromEntries(value.columns.map((each, index) => [each, row[index] ?? null])));
}

async function rowWith({ columns, rows }: MTable, key: Value): Promise<Value[] | undefined> {
  const [name, sought] = key !== null && typeof key === 'object' && 'fields' in key ? ([...key.fields][0] ?? []) : [];
  if (name === undefined || sought === undefined) throw new MError('Expression.Error', 'There is no such item.');
  const column = columns.indexOf(name);
  const expected = await sought();
  return rows.find((cells) => cells[column] === expected);
}

function functionExpression(node: Of<typeof NodeKind.FunctionExpression>, scope: Scope): Value {
  const parameters = node.parameters.content.elements.map(({ node: parameter }) => parameter);
  const call = async (args: Value[]): Promise<Value> => {
    if (args.length !== parameters.length)
      throw new MError('Expression.Error', `${args.length} arguments were passed to a function which expects others.`);
    const names: Record<string, Value> = {};
    parameters.forEach((parameter, index) => {
      const value = args[index] ?? null;
      if (parameter.parameterType !== undefined) expectType(value, parameter.parameterType);
      names[nameOf(parameter.name.literal)] = value;
    });
    const result = await compute(node.expression, within(scope, names));
    if (node.functionReturnType !== undefined) expectType(result, node.functionReturnType);
    return result;
  };
  return { is: 'function', call };
}

function expectType(value: Value, { paired }: Of<typeof NodeKind.AsNullablePrimitiveType>): void {
  const nullable = paired.kind === NodeKind.NullablePrimitiveType;
  expectKind(value, (nullable ? paired.paired : paired).primitiveTypeKind, nullable);
}

function typeName(node: Node): string {
  if (node.kind === NodeKind.PrimitiveType) return node.primitiveTypeKind;
  throw new Error(`The type ${node.kind} is not modelled`);
}

async function handled(node: Of<typeof NodeKind.ErrorHandlingExpression>, scope: Scope): Promise<Value> {
  try {
    const value = await compute(node.protectedExpression, scope);
    return node.handler === undefined ? recordOf({ HasError: false, Value: value }) : value;
  } catch (error) {
    if (!(error instanceof MError)) throw error;
    if (node.handler !== undefined) return compute(node.handler.paired, scope);
    return recordOf({ HasError: true, Error: recordOf({ Reason: error.reason, Message: error.message }) });
  }
}

async function truth(node: Node, scope: Scope): Promise<boolean> {
  const value = await compute(node, scope);
  expectKind(value, 'logical');
  return value === true;
}

async function negation(node: Of<typeof NodeKind.UnaryExpression>, scope: Scope): Promise<Value> {
  const operators = node.operators.elements.map(({ constantKind }) => constantKind);
  if (operators.length !== 1 || operators[0] !== 'not') throw new Error(`${operators.join(' ')} is not modelled`);
  return !(await truth(node.typeExpression, scope));
}

async function logical(node: Of<typeof NodeKind.LogicalExpression>, scope: Scope): Promise<Value> {
  const left = await truth(node.left, scope);
  const and = node.operatorConstant.constantKind === 'and';
  return left === and ? truth(node.right, scope) : left;
}

function isRecord(value: Value): value is MRecord {
  return value !== null && typeof value === 'object' && 'is' in value && value.is === 'record';
}

function operation(operator: string, left: Value, right: Value): Value {
  if (operator === '=') return sameValue(left, right);
  if (operator === '<>') return !sameValue(left, right);
  if (operator === '&' && Array.isArray(left) && Array.isArray(right)) return [...left, ...right];
  if (operator === '&' && typeof left === 'string' && typeof right === 'string') return left + right;
  if (operator === '&' && isRecord(left) && isRecord(right))
    return { is: 'record', fields: new Map([...left.fields, ...right.fields]) };
  if (operator === '<=' && typeof left === 'number' && typeof right === 'number') return left <= right;
  if (operator === '>' && typeof left === 'number' && typeof right === 'number') return left > right;
  if (operator === '/' && typeof left === 'number' && typeof right === 'number') return left / right;
  if (operator === '+' && left instanceof Date && right !== null && typeof right === 'object' && 'ms' in right)
    return new Date(left.getTime() + right.ms);
  throw new MError('Expression.Error', `We cannot apply operator ${operator} to these types.`);
}

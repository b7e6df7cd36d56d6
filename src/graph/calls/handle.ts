import type { Item, Key } from '../../dynamodb/attribute-value.js'
import type { DeclaredType } from '../../layout/slots.js'
import { ownKindOf } from '../../plan/identity.js'
import type { Plan } from '../../plan/plan.js'
import type { Sizes } from '../../plan/price/read-price.js'
import { planCollect } from '../../plan/read/collect.js'
import { planExists, planGet, planMany, planUnique } from '../../plan/read/item.js'
import type { PathQuery } from '../../plan/read/options.js'
import { rowOf } from '../../plan/row.js'
import { planCheck, planCreate, planPut, planUpdate } from '../../plan/write/operations.js'
import { formatValue, isObject } from '../../schema/checks/assertions.js'
import type { OnDelete } from '../../schema/declarations.js'
import { GraphError } from '../../schema/error.js'
import { mapValues } from '../../schema/map-values.js'
import { assertArgument, assertObject, isSameContext, parseOptions } from '../arguments.js'
import type { Context } from '../context.js'
import { deleteNode } from '../run/delete-node.js'
import { planDeletion } from '../run/plan-deletion.js'
import { runRead } from '../run/run-read.js'
import { traversalMethodsOf } from '../traversal/handle.js'
import type { Condition } from '../types/condition.js'
import { type CallIntent, GraphCall } from './call.js'
import { putIfAbsent } from './put-if-absent.js'
import { GraphQuery } from './query.js'
import { upsert } from './upsert.js'
import { compileRowCondition, GraphWrite, type WriteIntent } from './write-call.js'

type RowInput = Readonly<Record<string, unknown>>

interface ReadArguments {
  readonly consistent?: boolean
}

type PathFunctions = Readonly<Record<string, (id: unknown) => unknown>>

/** Creates the untyped handle of a node or edge type. */
export function handleOf(context: Context, type: DeclaredType): object {
  const { layout, tenant } = context
  const { name } = type
  const kind = ownKindOf(layout, type)
  const writes = createRowWrites(context, type)
  return {
    ...createReads(context, type),
    ...writes,
    check: (id: unknown, condition?: Condition<never>) => createCheck(context, type, id, condition),
    upsert: (row: RowInput, patch: RowInput) => upsert(writes as never, row as never, patch as never),
    ...(type.kind === 'node' && traversalMethodsOf(context, type)),
    keyOf: (id: unknown) => planGet(layout, name, id, { tenant }).steps[0]!.request.input.Key as Key,
    decode: (item: Item) => {
      assertArgument(isObject(item), `${name}.decode(): the argument is not an item; give an item of the store.`)
      return rowOf(layout, kind, item)
    },
  }
}

function createReads(context: Context, type: DeclaredType) {
  const { layout } = context
  const { name } = type
  const readCall = createReadCalls(context, type)
  return {
    by: createPathReads(context, type),
    get: (id: unknown, readOptions?: ReadArguments) =>
      readCall('get', options => planGet(layout, name, id, options), readOptions, 'read'),
    exists: (id: unknown, readOptions?: ReadArguments) =>
      readCall('exists', options => planExists(layout, name, id, options), readOptions, 'read'),
    many: (ids: readonly unknown[], readOptions?: ReadArguments) =>
      readCall(
        'many',
        options => {
          assertArgument(Array.isArray(ids), `${name}.many(): the argument is not a list; give a list of ids.`)
          return planMany(layout, name, ids, options)
        },
        readOptions,
      ),
    collect: (id: unknown, parts: PathFunctions, readOptions?: ReadArguments) =>
      readCall(
        'collect',
        options => planCollect(layout, name, id, collectQueriesOf(context, id, parts), options),
        readOptions,
      ),
    scan: () => new GraphQuery(context, { type: name }),
  }
}

/** Creates the queries by path, and the single reads by unique attribute. */
function createPathReads(context: Context, type: DeclaredType): object {
  const { layout } = context
  const { name } = type
  const readCall = createReadCalls(context, type)
  const reads = layout.accesses
    .filter(access => access.type === type)
    .map(({ name: path, kind: { role } }) => {
      const read =
        role === 'unique'
          ? (...values: unknown[]) =>
              readCall(`by.${path}`, options =>
                planUnique(layout, name, path, singleArgument(type, path, values), options),
              )
          : (...values: unknown[]) =>
              new GraphQuery(context, { type: name, path, start: singleArgument(type, path, values) })
      return [path, read] as const
    })
  return Object.fromEntries(reads)
}

function createRowWrites(context: Context, type: DeclaredType) {
  const { layout } = context
  const { name } = type
  const writeCall = (verb: string, identity: unknown, plan: WriteIntent['plan'], run?: WriteIntent['run']) =>
    new GraphWrite(context, { type: name, verb, identity, plan, run })
  return {
    put: (row: RowInput) => writeCall('put', row, options => planPut(layout, name, assertObject(row), options)),
    create: (row: RowInput) =>
      writeCall('create', row, options => planCreate(layout, name, assertObject(row), options)),
    putIfAbsent: (row: RowInput) => putIfAbsent(context, name, row),
    update: (id: unknown, patch: RowInput) =>
      writeCall('update', id, options => planUpdate(layout, name, id, assertObject(patch), options)),
    delete: (id: unknown, deleteOptions?: { edges?: OnDelete }) => {
      const { edges } = parseOptions(name, deleteOptions, 'edges')
      assertArgument(
        [undefined, 'leave', 'cascade', 'refuse'].includes(edges),
        `edges: ${formatValue(edges)} is not a valid value; give 'leave', 'cascade' or 'refuse'.`,
      )
      const deletion = { type, id, edges }
      return writeCall(
        'delete',
        id,
        (options, isPart, sizes) => planDeletion(context, deletion, options, isPart, sizes),
        (sender, options, run) => deleteNode(sender, deletion, options, run),
      )
    },
  }
}

function createReadCalls(context: Context, { name }: DeclaredType): CreateReadCall {
  return (verb, planRead, readOptions, partOf) => {
    parseOptions(name, readOptions, 'consistent')
    const plan = (sizes?: Sizes) => planRead({ tenant: context.tenant, sizes, ...readOptions })
    const run: CallIntent<unknown>['run'] = sender => runRead(sender, plan())
    return new GraphCall(context, { name: `${name}.${verb}`, plan, run, partOf })
  }
}

/** The argument of a read by a path. More arguments would have no effect. */
function singleArgument({ name }: DeclaredType, path: string, values: readonly unknown[]): unknown {
  assertArgument(
    values.length <= 1,
    `${name}.by.${path}: the call has ${values.length} arguments instead of one; give several parts as one object.`,
  )
  return values[0]
}

/** Creates a condition on a row for use in a transaction. */
function createCheck(
  context: Context,
  type: DeclaredType,
  id: unknown,
  condition: Condition<never> | undefined,
): GraphCall<void> {
  const { layout, environment, tenant } = context
  const { name } = type
  const compiled = condition === undefined ? undefined : compileRowCondition(context, type, id, condition)
  return new GraphCall<void>(context, {
    name: `${name}.check`,
    partOf: 'check',
    plan: () => planCheck(layout, name, id, { environment, tenant, condition: compiled }),
    run: async () => {
      throw new GraphError(
        'call.part',
        `${name}.check(): a check does nothing on its own; give it to $transact together with writes, or read the row with get().`,
      )
    },
  })
}

type CreateReadCall = (
  verb: string,
  planRead: (options: object) => Plan,
  readOptions?: ReadArguments,
  partOf?: CallIntent<unknown>['partOf'],
) => GraphCall<unknown>

function collectQueriesOf(context: Context, id: unknown, parts: PathFunctions): Record<string, PathQuery> {
  assertArgument(
    isObject(parts),
    'collect(): the parts are not an object; give them by name, as in { roles: g.role.by.movie }.',
  )
  assertArgument(!('node' in parts), "collect(): the part 'node' has the name of the node itself; rename the part.")
  return mapValues(parts, (part, name) => {
    const query = typeof part === 'function' ? part(id) : undefined
    // A query of another graph or tenant would be read from this one, so it is rejected.
    if (query instanceof GraphQuery && isSameContext(context, query.context)) return query.query as PathQuery
    throw new GraphError(
      'read.path',
      `collect(): '${name}' is not a read by a path of this graph and tenant; give one, for example g.role.by.movie.`,
      { name },
    )
  })
}

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
import { isObject } from '../../schema/checks/assertions.js'
import type { OnDelete } from '../../schema/declarations.js'
import { GraphError } from '../../schema/error.js'
import { mapValues } from '../../schema/map-values.js'
import { assertArgument, assertObject, isSameContext, parseOptions } from '../arguments.js'
import type { Context } from '../context.js'
import { deleteNode, planDeletion } from '../run/delete-node.js'
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
  const paths = layout.accesses.filter(access => access.type === type)
  const readCall: CreateReadCall = (verb, planned, given, partOf) => {
    parseOptions(name, given, 'consistent')
    const plan = (sizes?: Sizes) => planned({ tenant, sizes, ...given })
    const run: CallIntent<unknown>['run'] = sender => runRead(sender, plan())
    return new GraphCall(context, { name: `${name}.${verb}`, plan, run, partOf })
  }
  const writeCall = (verb: string, identity: unknown, plan: WriteIntent['plan'], run?: WriteIntent['run']) =>
    new GraphWrite(context, { type: name, verb, identity, plan, run })
  const handle = {
    // Queries by path, and single reads by unique attribute.
    by: Object.fromEntries(
      paths.map(({ name: path, kind: { role } }) => [
        path,
        role === 'unique'
          ? (...values: unknown[]) =>
              readCall(`by.${path}`, options =>
                planUnique(layout, name, path, singleArgument(type, path, values), options),
              )
          : (...values: unknown[]) =>
              new GraphQuery(context, { type: name, path, start: singleArgument(type, path, values) }),
      ]),
    ),
    put: (row: RowInput) => writeCall('put', row, options => planPut(layout, name, assertObject(row), options)),
    create: (row: RowInput) =>
      writeCall('create', row, options => planCreate(layout, name, assertObject(row), options)),
    putIfAbsent: (row: RowInput) => putIfAbsent(context, name, row),
    update: (id: unknown, patch: RowInput) =>
      writeCall('update', id, options => planUpdate(layout, name, id, assertObject(patch), options)),
    delete: (id: unknown, given?: { edges?: OnDelete }) => {
      const { edges } = parseOptions(name, given, 'edges')
      assertArgument(
        [undefined, 'leave', 'cascade', 'refuse'].includes(edges),
        "edges are 'leave', 'cascade' or 'refuse'",
      )
      const deletion = { type, id, edges }
      return writeCall(
        'delete',
        id,
        (options, isPart, sizes) => planDeletion(context, deletion, options, isPart, sizes),
        (sender, options, run) => deleteNode(sender, deletion, options, run),
      )
    },
    check: (id: unknown, condition?: Condition<never>) => createCheck(context, type, id, condition),
    get: (id: unknown, given?: ReadArguments) =>
      readCall('get', options => planGet(layout, name, id, options), given, 'read'),
    exists: (id: unknown, given?: ReadArguments) =>
      readCall('exists', options => planExists(layout, name, id, options), given, 'read'),
    many: (ids: readonly unknown[], given?: ReadArguments) =>
      readCall(
        'many',
        options => {
          assertArgument(Array.isArray(ids), `${name}.many() takes a list of ids`)
          return planMany(layout, name, ids, options)
        },
        given,
      ),
    collect: (id: unknown, parts: PathFunctions, given?: ReadArguments) =>
      readCall(
        'collect',
        options => planCollect(layout, name, id, collectQueriesOf(context, id, parts), options),
        given,
      ),
    scan: () => new GraphQuery(context, { type: name }),
    ...(type.kind === 'node' && traversalMethodsOf(context, type)),
    keyOf: (id: unknown) => planGet(layout, name, id, { tenant }).steps[0]!.request.input.Key as Key,
    decode: (item: Item) => {
      assertArgument(isObject(item), `${name}.decode() takes an item of the store`)
      return rowOf(layout, kind, item)
    },
  }
  return {
    ...handle,
    upsert: (row: RowInput, patch: RowInput) => upsert(handle as never, row as never, patch as never),
  }
}

/** The argument of a read by a path. More arguments would have no effect. */
function singleArgument({ name }: DeclaredType, path: string, values: readonly unknown[]): unknown {
  assertArgument(
    values.length <= 1,
    `${name}.by.${path}() takes one argument, but got ${values.length}; give several parts as one object`,
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
        `${name}.check() does nothing by itself; give it to $transact together with writes, or read the row with get()`,
      )
    },
  })
}

type CreateReadCall = (
  verb: string,
  planned: (options: object) => Plan,
  given?: ReadArguments,
  part?: CallIntent<unknown>['partOf'],
) => GraphCall<unknown>

function collectQueriesOf(context: Context, id: unknown, parts: PathFunctions): Record<string, PathQuery> {
  assertArgument(isObject(parts), 'collect() takes parts by name: { roles: g.role.by.movie }')
  assertArgument(!('node' in parts), "'node' is the node itself: rename the part")
  return mapValues(parts, (part, name) => {
    const query = typeof part === 'function' ? part(id) : undefined
    // A query of another graph or tenant would be read from this one, so it is rejected.
    if (query instanceof GraphQuery && isSameContext(context, query.context)) return query.query as PathQuery
    throw new GraphError('read.path', `'${name}' is no read by a path here, as g.role.by.movie`, { name })
  })
}

import type { Item, Key } from '../dynamodb/attribute-value.js'
import type { DeclaredType } from '../layout/slots.js'
import type { PathAsk } from '../plan/ask.js'
import { planCollect } from '../plan/collect.js'
import { ownKind } from '../plan/identity.js'
import type { Plan } from '../plan/plan.js'
import type { Sizes } from '../plan/price.js'
import { planExists, planGet, planMany, planUnique } from '../plan/read-item.js'
import { rowOf } from '../plan/row.js'
import { planCheck, planCreate, planPut, planUpdate } from '../plan/write.js'
import type { OnDelete } from '../schema/declared.js'
import { GraphError } from '../schema/error.js'
import { mapValues } from '../schema/map-values.js'
import { isObject } from '../schema/refusal.js'
import { GraphCall, type Intent } from './call.js'
import { deleteNode, deletionPlan } from './cascade.js'
import type { Context } from './context.js'
import { isOf, objectOf, optionsOf, given as refuse } from './given.js'
import { putIfAbsent } from './put-if-absent.js'
import { GraphQuery } from './query.js'
import { read } from './reading.js'
import { traversalsOf } from './traversal/handle.js'
import type { Condition } from './types/condition.js'
import { upsert } from './upsert.js'
import { conditionOn, GraphWrite, type Writing } from './writes.js'

type Given = Readonly<Record<string, unknown>>

interface ReadItem {
  readonly consistent?: boolean
}

type Parts = Readonly<Record<string, (id: unknown) => unknown>>

/** All that can be done with a type: what its types promise, without them. */
export function handleOf(context: Context, type: DeclaredType): object {
  const { layout, tenant } = context
  const { name } = type
  const kind = ownKind(layout, type)
  const paths = layout.accesses.filter(access => access.type === type)
  const reading: Reading = (verb, planned, given, part) => {
    optionsOf(name, given, 'consistent')
    const plan = (sizes?: Sizes) => planned({ tenant, sizes, ...given })
    const run: Intent<unknown>['run'] = sending => read(sending, plan())
    return new GraphCall(context, { name: `${name}.${verb}`, plan, run, part })
  }
  const writing = (verb: string, identity: unknown, plan: Writing['plan'], run?: Writing['run']) =>
    new GraphWrite(context, { type: name, verb, identity, plan, run })
  const handle = {
    // The rows that a path finds, or the one that a unique attribute tells.
    by: Object.fromEntries(
      paths.map(({ name: path, kind: { role } }) => [
        path,
        role === 'unique'
          ? (...values: unknown[]) =>
              reading(`by.${path}`, options => planUnique(layout, name, path, onlyOne(type, path, values), options))
          : (...values: unknown[]) => new GraphQuery(context, { type: name, path, given: onlyOne(type, path, values) }),
      ]),
    ),
    put: (row: Given) => writing('put', row, options => planPut(layout, name, objectOf(row), options)),
    create: (row: Given) => writing('create', row, options => planCreate(layout, name, objectOf(row), options)),
    putIfAbsent: (row: Given) => putIfAbsent(context, name, row),
    update: (id: unknown, patch: Given) =>
      writing('update', id, options => planUpdate(layout, name, id, objectOf(patch), options)),
    delete: (id: unknown, given?: { edges?: OnDelete }) => {
      const { edges } = optionsOf(name, given, 'edges')
      refuse([undefined, 'leave', 'cascade', 'refuse'].includes(edges), "edges are 'leave', 'cascade' or 'refuse'")
      const deletion = { type, id, edges }
      return writing(
        'delete',
        id,
        (options, isPart, sizes) => deletionPlan(context, deletion, options, isPart, sizes),
        (sending, options, run) => deleteNode(sending, deletion, options, run),
      )
    },
    check: (id: unknown, condition?: Condition<never>) => checkOf(context, type, id, condition),
    get: (id: unknown, given?: ReadItem) =>
      reading('get', options => planGet(layout, name, id, options), given, 'read'),
    exists: (id: unknown, given?: ReadItem) =>
      reading('exists', options => planExists(layout, name, id, options), given, 'read'),
    many: (ids: readonly unknown[], given?: ReadItem) =>
      reading(
        'many',
        options => {
          refuse(Array.isArray(ids), `${name}.many() takes a list of ids`)
          return planMany(layout, name, ids, options)
        },
        given,
      ),
    collect: (id: unknown, parts: Parts, given?: ReadItem) =>
      reading('collect', options => planCollect(layout, name, id, partsOf(context, id, parts), options), given),
    scan: () => new GraphQuery(context, { type: name }),
    ...(type.kind === 'node' && traversalsOf(context, type)),
    keyOf: (id: unknown) => planGet(layout, name, id, { tenant }).steps[0]!.request.input.Key as Key,
    decode: (item: Item) => {
      refuse(isObject(item), `${name}.decode() takes an item of the store`)
      return rowOf(layout, kind, item)
    },
  }
  return {
    ...handle,
    upsert: (row: Given, patch: Given) => upsert(handle as never, row as never, patch as never),
  }
}

/** The argument of a read by a path. More arguments would have no effect. */
function onlyOne({ name }: DeclaredType, path: string, values: readonly unknown[]): unknown {
  refuse(
    values.length <= 1,
    `${name}.by.${path}() takes one argument, but got ${values.length}; give several parts as one object`,
  )
  return values[0]
}

/** A condition on a row, as a part of a transaction. */
function checkOf(
  context: Context,
  type: DeclaredType,
  id: unknown,
  condition: Condition<never> | undefined,
): GraphCall<void> {
  const { layout, surroundings, tenant } = context
  const { name } = type
  const written = condition === undefined ? undefined : conditionOn(context, type, id, condition)
  return new GraphCall<void>(context, {
    name: `${name}.check`,
    part: 'check',
    plan: () => planCheck(layout, name, id, { surroundings, tenant, condition: written }),
    run: async () => {
      throw new GraphError(
        'call.part',
        `${name}.check() does nothing by itself; give it to $transact together with writes, or read the row with get()`,
      )
    },
  })
}

type Reading = (
  verb: string,
  planned: (options: object) => Plan,
  given?: ReadItem,
  part?: Intent<unknown>['part'],
) => GraphCall<unknown>

function partsOf(context: Context, id: unknown, parts: Parts): Record<string, PathAsk> {
  refuse(isObject(parts), 'collect() takes parts by name: { roles: g.role.by.movie }')
  refuse(!('node' in parts), "'node' is the node itself: rename the part")
  return mapValues(parts, (part, name) => {
    const query = typeof part === 'function' ? part(id) : undefined
    // Another's would be read here all the same.
    if (query instanceof GraphQuery && isOf(context, query.context)) return query.ask as PathAsk
    throw new GraphError('read.path', `'${name}' is no read by a path here, as g.role.by.movie`, { name })
  })
}

import { mapValues } from '../schema/map-values.js'
import type { TableDesign } from './design.js'
import type { Kind } from './kinds.js'
import type { Names } from './names.js'

/** All that decides where items lie and how they are read, as plain data: what is kept in the table to tell what changed. */
export interface Shape {
  readonly keys: TableDesign['keys']
  readonly tenant: boolean
  readonly type: string
  readonly indexes: Readonly<Record<string, unknown>>
  readonly kinds: Readonly<Record<string, unknown>>
}

export function shapeOf({ indexes, keys, tenant }: TableDesign, kinds: readonly Kind[], names: Names): Shape {
  return {
    keys,
    tenant,
    type: names.type,
    indexes: Object.fromEntries(
      indexes.map(({ name, kind, partition, sort }) => [name, [kind, partition.join(), sort.join()]]),
    ),
    kinds: Object.fromEntries(
      kinds.map(({ name, role, mark, marks, type, keys: templates, shards }) => [
        name,
        {
          role,
          mark,
          marks,
          shards,
          keys: mapValues(templates, ({ source, mode, separator, fold }) =>
            [source, mode, separator, fold ?? ''].join(' '),
          ),
          ...keptBy(role, type),
          attributes: Object.fromEntries(
            Object.entries(type.attributes).map(([attribute, { kind }]) => [names.of(type, attribute), kind]),
          ),
        },
      ]),
    ),
  }
}

/** Counters that do not simply count all edges by transaction: the same number means another thing under another rule. */
function keptBy(role: Kind['role'], type: Kind['type']) {
  if (role !== 'edge' || type.kind !== 'edge') return {}
  const kept = [...type.count, ...type.sum].flatMap(({ end, into, by, where }) =>
    where || by === 'stream' ? [[`${end}.${into}`, [by, where ?? {}]] as const] : [],
  )
  return kept.length > 0 && { kept: Object.fromEntries(kept) }
}

/** FNV-1a over two seeds: enough to tell layouts apart, and small. It is no secret. */
export function hashOf(text: string): string {
  return [0x811c9dc5, 0x01000193].map(seed => fnv1a(text, seed).toString(16).padStart(8, '0')).join('')
}

export function fnv1a(text: string, seed = 0x811c9dc5): number {
  let hash = seed
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

import type { TableDesign } from './design.js'
import type { Kind } from './kinds.js'
import type { Names } from './names.js'

/** A short text that is another for another layout: what is written under one cannot be read under the other. */
export function fingerprintOf({ indexes, keys, tenant }: TableDesign, kinds: readonly Kind[], names: Names): string {
  const shape = kinds.map(({ name, role, mark, marks, type, keys: templates, shards }) => ({
    name,
    role,
    mark,
    marks,
    shards,
    keys: Object.fromEntries(
      Object.entries(templates).map(([attribute, { source, mode, separator, fold }]) => [
        attribute,
        [source, mode, separator, fold],
      ]),
    ),
    attributes: Object.keys(type.attributes).map(attribute => [
      names.of(type, attribute),
      type.attributes[attribute]!.kind,
    ]),
  }))
  const physical = indexes.map(({ name, kind, partition, sort }) => ({ name, kind, partition, sort }))
  return hashOf(JSON.stringify([keys, tenant, names.type, physical, shape]))
}

/** FNV-1a over two seeds: enough to tell layouts apart, and small. It is no secret. */
export function hashOf(text: string): string {
  return [0x811c9dc5, 0x01000193]
    .map(seed => {
      let hash = seed
      for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
      return (hash >>> 0).toString(16).padStart(8, '0')
    })
    .join('')
}

import type { DeclaredGraph } from '../schema/declared.js'
import { GraphError } from '../schema/error.js'
import { PARTITION, SORT } from './drafts.js'
import type { Physical } from './given.js'
import type { DeclaredType } from './slots.js'

/** Under which names attributes are stored. */
export interface Names {
  /** The attributes of the table's own key. */
  readonly partition: string
  readonly sort: string
  /** The attribute that tells the type of an item. */
  readonly type: string
  readonly etag: string
  readonly expires: string
  /** Of a node that is being deleted: whoever reads it takes it for gone. */
  readonly going: string
  /** The stored name of a type's attribute, end or owner, by its slot. */
  of(type: DeclaredType, slot: string): string
  /** The same where all types agree. */
  slot(slot: string): string
}

const ETAG = '_etag'
const EXPIRES = '_expires'
const GOING = '_going'
const TYPE = '_type'

export function storedNames(graph: DeclaredGraph, physical: Physical): Names {
  const { names = {}, type, table } = physical
  const [partition, sort] = table?.keys ?? [PARTITION, SORT]
  const made: Names = {
    partition,
    sort,
    type: (typeof type === 'object' ? type.attribute : type) ?? TYPE,
    etag: ETAG,
    expires: EXPIRES,
    going: GOING,
    of: (declared, slot) => names[declared.name]?.[slot] ?? declared.attributes[slot]?.storedAs ?? slot,
    slot(slot) {
      const owner = [...graph.nodes, ...graph.edges].find(declared => Object.hasOwn(declared.attributes, slot))
      return owner ? made.of(owner, slot) : slot
    },
  }
  for (const declared of [...graph.nodes, ...graph.edges]) checkDistinct(declared, made, marksOf(declared, physical))
  return made
}

const marksOf = ({ name }: DeclaredType, { marks }: Physical) => Object.keys(marks?.[name] ?? {})

function checkDistinct(type: DeclaredType, names: Names, marks: readonly string[]): void {
  const taken = new Map(
    [names.type, names.etag, names.expires, names.going, ...marks].map(name => [name, 'the layout']),
  )
  for (const attribute of Object.keys(type.attributes)) {
    const stored = names.of(type, attribute)
    const other = taken.get(stored)
    if (other !== undefined)
      throw new GraphError(
        'layout.name',
        `${type.name}.${attribute} is stored as '${stored}', which ${other} already uses: store it under another name`,
        {
          type: type.name,
          name: attribute,
        },
      )
    taken.set(stored, `${type.name}.${attribute}`)
  }
}

import fc from 'fast-check'
import type { IndexDesign, ProvisionedCapacity, TableDesign } from '../../../src/layout/design.js'
import { designed } from '../designs.js'

const ATTRIBUTES = ['a', 'b', 'c', 'd']
const INDEXES = ['first', 'second', 'third', 'fourth']

const anyCapacity: fc.Arbitrary<ProvisionedCapacity> = fc.record({
  read: fc.integer({ min: 1, max: 2 }),
  write: fc.integer({ min: 1, max: 2 }),
})

const anyIndex = (name: string): fc.Arbitrary<IndexDesign> =>
  fc
    .record({
      isLocal: fc.nat({ max: 15 }).map(drawn => drawn === 15),
      keys: fc.shuffledSubarray([...ATTRIBUTES, 'SK'], { minLength: 1, maxLength: 3 }),
      partitions: fc.integer({ min: 1, max: 3 }),
      project: fc.oneof(fc.constantFrom('all' as const, 'keys' as const), fc.subarray(['x', 'y', 'PK', 'a'])),
      capacity: fc.option(anyCapacity, { nil: undefined }),
    })
    .map(({ isLocal, keys, partitions, project, capacity }) => {
      const about = { name, project, serves: [`who reads the ${name}`] }
      const [sort] = keys.filter(key => key !== 'SK')
      if (isLocal) return { ...about, kind: 'local', partition: ['PK'], sort: [sort ?? 'a'] }
      return { ...about, kind: 'global', partition: keys.slice(0, partitions), sort: keys.slice(partitions), capacity }
    })

type Types = Readonly<Record<string, 'S' | 'N'>>

/** Limits the attributes of a design to those of its keys. */
function typed(changes: Partial<TableDesign> & Pick<TableDesign, 'indexes'>, types: Types): TableDesign {
  const design = designed(changes)
  const attributes = Object.keys(design.attributes).map(name => [name, types[name] ?? 'S'] as const)
  return { ...design, attributes: Object.fromEntries(attributes) }
}

const anyTable = fc.record({
  indexes: fc.tuple(...INDEXES.map(name => fc.option(anyIndex(name), { nil: undefined }))),
  types: fc.record(Object.fromEntries(ATTRIBUTES.map(name => [name, fc.constantFrom('S' as const, 'N' as const)]))),
  more: fc.record({
    capacity: fc.oneof(fc.constant('on-demand' as const), anyCapacity),
    stream: fc.constantFrom('none' as const, 'keys' as const, 'new' as const, 'old' as const, 'both' as const),
    expires: fc.constantFrom(undefined, 'expires', 'until'),
  }),
})

/**
 * Two designs. Each index of the second is unchanged, different, new or absent, or has the same key with another
 * projection or capacity.
 */
export const anyTwoDesigns: fc.Arbitrary<readonly [TableDesign, TableDesign]> = fc
  .record({
    was: anyTable,
    other: anyTable,
    how: fc.tuple(...INDEXES.map(() => fc.constantFrom('as it was', 'of the same key', 'another'))),
    sameTypes: fc.boolean(),
    sameCapacity: fc.boolean(),
  })
  .map(({ was, other, how, sameTypes, sameCapacity }) => {
    const after = was.indexes.map((index, at) => {
      const next = other.indexes[at]
      if (!index || !next || how[at] === 'another') return next
      if (how[at] === 'as it was') return index
      return { ...index, project: next.project, ...(index.kind === 'global' && { capacity: next.capacity }) }
    })
    const isThere = (index: IndexDesign | undefined) => index !== undefined
    const more = { ...other.more, ...(sameCapacity && { capacity: was.more.capacity }) }
    return [
      typed({ ...was.more, indexes: was.indexes.filter(isThere) }, was.types),
      typed({ ...more, indexes: after.filter(isThere) }, sameTypes ? was.types : other.types),
    ] as const
  })

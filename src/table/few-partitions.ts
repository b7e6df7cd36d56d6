import type { Access } from '../layout/access.js'
import type { IndexDesign } from '../layout/design.js'
import type { Layout } from '../layout/layout.js'
import type { DeclaredAttribute } from '../schema/declared.js'

/** The indexes of a layout, with how few values the partition key has for one of their readers, where that can be told. */
export function withFewest({ design, accesses }: Layout): IndexDesign[] {
  return design.indexes.map(index => ({ ...index, ...fewest(accesses.filter(access => access.index === index.name)) }))
}

function fewest(readers: readonly Access[]): Pick<IndexDesign, 'distinctPartitions' | 'shards'> | undefined {
  return readers
    .map(({ type, given, shards }) => ({
      distinctPartitions: given.reduce((all, slot) => all * valuesOf(type.attributes[slot]), shards),
      shards,
    }))
    .filter(({ distinctPartitions }) => distinctPartitions < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.distinctPartitions - b.distinctPartitions)[0]
}

function valuesOf({ kind, values, range = {} }: Partial<DeclaredAttribute> = {}): number {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = range
  return kind === 'boolean' ? 2 : (values?.length ?? max - min + 1)
}

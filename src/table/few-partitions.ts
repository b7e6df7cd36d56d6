import type { Access } from '../layout/access.js'
import type { IndexDesign } from '../layout/design.js'
import type { KeyPart } from '../layout/key-text.js'
import type { Layout } from '../layout/layout.js'
import { SPREADING, slotPart, TENANT_SLOT } from '../layout/slots.js'

/** An index, and which of its readers has the fewest values of its partition key. */
export interface IndexOfFew extends IndexDesign {
  readonly fewestBy?: string
}

/** The indexes of a layout, with how few values the partition key has for one of their readers, where that can be told. */
export function withFewest({ design, accesses }: Layout): IndexOfFew[] {
  const { tenant, indexes } = design
  return indexes.map(index => ({
    ...index,
    ...fewest(
      accesses.filter(access => access.index === index.name),
      tenant,
    ),
  }))
}

function fewest(
  readers: readonly Access[],
  tenant: boolean,
): Pick<IndexOfFew, 'distinctPartitions' | 'shards' | 'fewestBy'> | undefined {
  return readers
    .map(access => ({
      distinctPartitions: partsOf(access, tenant).reduce((all, part) => all * valuesOf(part), access.shards),
      shards: access.shards,
      fewestBy: `${access.type.name}.by.${access.name}`,
    }))
    .filter(({ distinctPartitions }) => distinctPartitions < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.distinctPartitions - b.distinctPartitions)[0]
}

/** What the partition key is made of, each once: a given one may leave to the sort key some of what a read gives. */
function partsOf({ type, partition, given }: Access, tenant: boolean): (KeyPart | undefined)[] {
  const slots = partition ? partition.slots.flatMap(({ name, part }) => (part === SPREADING ? [] : name)) : given
  return [...new Set(slots)].filter(slot => !tenant || slot !== TENANT_SLOT).map(slot => slotPart(type, slot))
}

function valuesOf({ kind, values, range = {} }: Partial<KeyPart> = {}): number {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = range
  return kind === 'boolean' ? 2 : (values?.length ?? max - min + 1)
}

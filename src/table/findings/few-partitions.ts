import type { Access } from '../../layout/access/access.js'
import type { IndexDesign } from '../../layout/design.js'
import type { SlotType } from '../../layout/keys/key-text-codec.js'
import type { Layout } from '../../layout/layout.js'
import { SHARD_TYPE, slotTypeOf, TENANT_SLOT } from '../../layout/slots.js'

/** An index, with the reader that has the fewest partition key values. */
export interface IndexWithPartitionCount extends IndexDesign {
  readonly fewestReader?: string
}

/**
 * Returns the indexes of a layout with the number of values of their partition keys, where it is known to be finite.
 */
export function withPartitionCounts({ design, accesses }: Layout): IndexWithPartitionCount[] {
  const { tenant, indexes } = design
  return indexes.map(index => ({
    ...index,
    ...fewestPartitionsOf(
      accesses.filter(access => access.index === index.name),
      tenant,
    ),
  }))
}

function fewestPartitionsOf(
  readers: readonly Access[],
  tenant: boolean,
): Pick<IndexWithPartitionCount, 'distinctPartitions' | 'shards' | 'fewestReader'> | undefined {
  return readers
    .map(access => ({
      distinctPartitions: partitionSlotTypesOf(access, tenant).reduce(
        (product, part) => product * countValues(part),
        access.shards,
      ),
      shards: access.shards,
      fewestReader: `${access.type.name}.by.${access.name}`,
    }))
    .filter(({ distinctPartitions }) => distinctPartitions < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.distinctPartitions - b.distinctPartitions)[0]
}

/** The types of the slots in a partition key. A custom key may move some slots of a read to its sort key. */
function partitionSlotTypesOf({ type, partition, requiredSlots }: Access, tenant: boolean): (SlotType | undefined)[] {
  const slots = partition
    ? partition.slots.flatMap(({ name, type }) => (type === SHARD_TYPE ? [] : name))
    : requiredSlots
  return [...new Set(slots)].filter(slot => !tenant || slot !== TENANT_SLOT).map(slot => slotTypeOf(type, slot))
}

function countValues({ kind, values, range = {} }: Partial<SlotType> = {}): number {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = range
  return kind === 'boolean' ? 2 : (values?.length ?? max - min + 1)
}

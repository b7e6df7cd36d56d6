import { GLOBAL_INDEXES } from '../../dynamodb/limits.js'
import type { GlobalSecondaryIndexDescription } from '../../dynamodb/operations/indexes.js'
import type { UpdateTableRequest } from '../../dynamodb/operations/update-table.js'
import type { IndexDesign } from '../../layout/design.js'
import {
  attributeDefinition,
  globalIndex,
  globalIndexes,
  indexCapacity,
  indexKeySchema,
  projection,
} from '../definition.js'
import { backfillCost } from './backfill.js'
import { keyText, projects, retyped, sameKeys } from './keys.js'
import { type Compared, isProvisioned, type Step } from './step.js'

export interface IndexSteps {
  /** In their order: one index at a time, and what is new before what goes. */
  readonly steps: readonly Step[]
  /** Deletes of what the design does not have, for the end. */
  readonly leftovers: readonly Step[]
  /** Global indexes that serve as they are: what holds more than is read stays too, unless what is optional is done. */
  readonly kept: readonly GlobalSecondaryIndexDescription[]
}

/** What happens to global indexes. A changed key or projection is another index, so it is deleted and created. */
export function indexSteps(compared: Compared): IndexSteps {
  const { design, live } = compared
  const present = (live.GlobalSecondaryIndexes ?? []).filter(index => index.IndexStatus !== 'DELETING')
  const wanted = globalIndexes(design)
  const found = (index: IndexDesign) => present.find(({ IndexName }) => IndexName === index.name)
  const changed = wanted.filter(index => found(index) && !isAsDesigned(compared, index, found(index)!))
  const missing = wanted.filter(index => !found(index))
  const left = present.filter(({ IndexName }) => !wanted.some(index => index.name === IndexName))

  const inTheWay = left.filter(index => hasOldType(compared, index))
  const free = left.filter(index => !inTheWay.includes(index))
  // A table that has more than the quota had it raised.
  const room = Math.max(GLOBAL_INDEXES, present.length) - (present.length - inTheWay.length)
  const crowding = free.slice(0, Math.max(0, missing.length - room))
  const retypes = changed.filter(index => hasOldType(compared, found(index)!))
  const others = changed.filter(index => !retypes.includes(index))

  return {
    steps: [
      ...inTheWay.map(index => deleteStep(compared, index.IndexName!, 'holds a key attribute to its old type')),
      ...crowding.map(index => deleteStep(compared, index.IndexName!, 'leaves no room for those to come')),
      ...retypes.map(index => replacedDelete(compared, index, found(index)!)),
      ...missing.map(index => createStep(compared, index)),
      ...retypes.map(index => createStep(compared, index)),
      ...others.flatMap(index => {
        const optional = serves(compared, index, found(index)!)
        return [replacedDelete(compared, index, found(index)!), createStep(compared, index, optional)]
      }),
    ],
    leftovers: free.slice(crowding.length).map(index => deleteStep(compared, index.IndexName!)),
    kept: wanted.flatMap(index => {
      const there = found(index)
      return there && serves(compared, index, there) ? [there] : []
    }),
  }
}

function isAsDesigned({ design, live }: Compared, index: IndexDesign, present: GlobalSecondaryIndexDescription) {
  const keys = indexKeySchema(index)
  if (!sameKeys(keys, present.KeySchema)) return false
  if (retyped(design, live.AttributeDefinitions, keys).length > 0) return false
  return projects(present.Projection, index, design) && !isWiderProjection(index, present)
}

/** Whether an index serves its readers as it is, though it may hold more than they read. */
function serves({ design, live }: Compared, index: IndexDesign, present: GlobalSecondaryIndexDescription) {
  const keys = indexKeySchema(index)
  const keysFit = sameKeys(keys, present.KeySchema) && retyped(design, live.AttributeDefinitions, keys).length === 0
  return keysFit && projects(present.Projection, index, design)
}

function isWiderProjection(index: IndexDesign, { Projection: present }: GlobalSecondaryIndexDescription): boolean {
  const wanted = projection(index)
  if (wanted.ProjectionType === 'ALL') return false
  if (present?.ProjectionType === 'ALL') return true
  return (present?.NonKeyAttributes ?? []).some(name => !wanted.NonKeyAttributes?.includes(name))
}

function hasOldType({ design, live }: Compared, index: GlobalSecondaryIndexDescription): boolean {
  const inDesign = (index.KeySchema ?? []).filter(({ AttributeName = '' }) => AttributeName in design.attributes)
  return retyped(design, live.AttributeDefinitions, inDesign).length > 0
}

function createStep(compared: Compared, index: IndexDesign, optional = false): Step {
  const { design, live, table } = compared
  // Indexes are built on demand where the table is on demand before or after.
  const provisioned = isProvisioned(compared) && design.capacity !== 'on-demand'
  const capacity = provisioned ? indexCapacity(design, index) : undefined
  const { ProvisionedThroughput, ...plain } = globalIndex(design, index)
  const Create = provisioned ? { ...plain, ProvisionedThroughput } : plain
  return {
    code: 'index.create',
    operation: 'UpdateTable',
    input: {
      TableName: table,
      AttributeDefinitions: [...new Set([...index.partition, ...index.sort])].map(name =>
        attributeDefinition(design, name),
      ),
      GlobalSecondaryIndexUpdates: [{ Create }],
    },
    message: `Create the index ${index.name} on ${keyText(indexKeySchema(index))}, with ${projectedText(index)}.`,
    cost: backfillCost(live, capacity),
    wait: `${index.name} is ACTIVE`,
    optional,
  }
}

function projectedText({ project }: IndexDesign): string {
  if (project === 'all') return 'all attributes'
  return project === 'keys' || project.length === 0 ? 'keys only' : `keys and ${project.join(', ')}`
}

function replacedDelete(compared: Compared, index: IndexDesign, present: GlobalSecondaryIndexDescription): Step {
  const optional = serves(compared, index, present)
  return {
    ...deleteRequest(compared, index.name),
    message: `Delete the index ${index.name}, ${optional ? 'which holds more than is read from it' : 'whose key or projection is not as designed'}, to create it again.`,
    cost: `Until it is built again, nothing answers for ${index.serves.join('; ')}. To avoid that, give the new index another name.`,
    optional,
  }
}

/** A delete of what the design does not have, needed only if there is a reason. */
function deleteStep(compared: Compared, name: string, reason?: string): Step {
  return {
    ...deleteRequest(compared, name),
    message: `Delete the index ${name}, which the design does not have${reason === undefined ? '' : ` and which ${reason}`}.`,
    cost: 'Saves its writes and its storage. Make sure first that nothing else reads it: building it again takes a backfill.',
    optional: reason === undefined,
  }
}

function deleteRequest({ table }: Compared, name: string) {
  const input: UpdateTableRequest = { TableName: table, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: name } }] }
  return {
    code: 'index.delete',
    operation: 'UpdateTable',
    input,
    wait: `${name} is gone`,
  } as const
}

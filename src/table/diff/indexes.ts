import { GLOBAL_INDEXES } from '../../dynamodb/limits.js'
import type { GlobalSecondaryIndexDescription, UpdateTableInput } from '../../dynamodb/operation-types.js'
import type { IndexDesign } from '../../layout/design.js'
import {
  globalIndexesOf,
  indexCapacityOf,
  indexKeySchemaOf,
  toAttributeDefinition,
  toGlobalIndex,
  toProjection,
} from '../table-definition.js'
import { describeBackfillCost } from './backfill.js'
import { describeKeySchema, isProjectionSufficient, isSameKeySchema, retypedAttributes } from './keys.js'
import { type DiffContext, isProvisioned, type Step } from './step.js'

export interface IndexSteps {
  /** The steps in their order: one index at a time, and creations before deletions where possible. */
  readonly steps: readonly Step[]
  /** Deletions of indexes that the design does not have, to be done last. */
  readonly leftovers: readonly Step[]
  /**
   * The global indexes that serve their readers unchanged. An index with a wider projection than needed stays unless
   * the optional steps are taken.
   */
  readonly retained: readonly GlobalSecondaryIndexDescription[]
}

/**
 * Returns the steps for global indexes. A changed key or projection needs a new index, so the index is deleted and
 * created.
 */
export function indexSteps(context: DiffContext): IndexSteps {
  const { design, live } = context
  const present = (live.GlobalSecondaryIndexes ?? []).filter(index => index.IndexStatus !== 'DELETING')
  const designed = globalIndexesOf(design)
  const findPresent = (index: IndexDesign) => present.find(({ IndexName }) => IndexName === index.name)
  const changed = designed.filter(
    index => findPresent(index) && !isIndexAsDesigned(context, index, findPresent(index)!),
  )
  const missing = designed.filter(index => !findPresent(index))
  const unwanted = present.filter(({ IndexName }) => !designed.some(index => index.name === IndexName))

  const blocking = unwanted.filter(index => hasOldType(context, index))
  const removable = unwanted.filter(index => !blocking.includes(index))
  // A table with more indexes than the default quota has a raised quota.
  const room = Math.max(GLOBAL_INDEXES, present.length) - (present.length - blocking.length)
  const crowding = removable.slice(0, Math.max(0, missing.length - room))
  const retypes = changed.filter(index => hasOldType(context, findPresent(index)!))
  const others = changed.filter(index => !retypes.includes(index))

  return {
    steps: [
      ...blocking.map(index => deleteStep(context, index.IndexName!, 'holds a key attribute to its old type')),
      ...crowding.map(index => deleteStep(context, index.IndexName!, 'leaves no room for those to come')),
      ...retypes.map(index => replacementDeleteStep(context, index, findPresent(index)!)),
      ...missing.map(index => createStep(context, index)),
      ...retypes.map(index => createStep(context, index)),
      ...others.flatMap(index => {
        const optional = isSufficient(context, index, findPresent(index)!)
        return [replacementDeleteStep(context, index, findPresent(index)!), createStep(context, index, optional)]
      }),
    ],
    leftovers: removable.slice(crowding.length).map(index => deleteStep(context, index.IndexName!)),
    retained: designed.flatMap(index => {
      const present = findPresent(index)
      return present && isSufficient(context, index, present) ? [present] : []
    }),
  }
}

function isIndexAsDesigned(
  { design, live }: DiffContext,
  index: IndexDesign,
  present: GlobalSecondaryIndexDescription,
) {
  const keys = indexKeySchemaOf(index)
  if (!isSameKeySchema(keys, present.KeySchema)) return false
  if (retypedAttributes(design, live.AttributeDefinitions, keys).length > 0) return false
  return isProjectionSufficient(present.Projection, index, design) && !isWiderProjection(index, present)
}

/** Whether an index serves its readers, even if it projects more than they read. */
function isSufficient({ design, live }: DiffContext, index: IndexDesign, present: GlobalSecondaryIndexDescription) {
  const keys = indexKeySchemaOf(index)
  const keysFit =
    isSameKeySchema(keys, present.KeySchema) && retypedAttributes(design, live.AttributeDefinitions, keys).length === 0
  return keysFit && isProjectionSufficient(present.Projection, index, design)
}

function isWiderProjection(index: IndexDesign, { Projection: present }: GlobalSecondaryIndexDescription): boolean {
  const designed = toProjection(index)
  if (designed.ProjectionType === 'ALL') return false
  if (present?.ProjectionType === 'ALL') return true
  return (present?.NonKeyAttributes ?? []).some(name => !designed.NonKeyAttributes?.includes(name))
}

function hasOldType({ design, live }: DiffContext, index: GlobalSecondaryIndexDescription): boolean {
  const designedKeys = (index.KeySchema ?? []).filter(({ AttributeName = '' }) => AttributeName in design.attributes)
  return retypedAttributes(design, live.AttributeDefinitions, designedKeys).length > 0
}

function createStep(context: DiffContext, index: IndexDesign, optional = false): Step {
  const { design, live, table } = context
  // An index is built without provisioned capacity if the table is on-demand before or after the change.
  const provisioned = isProvisioned(context) && design.capacity !== 'on-demand'
  const capacity = provisioned ? indexCapacityOf(design, index) : undefined
  const { ProvisionedThroughput, ...plain } = toGlobalIndex(design, index)
  const Create = provisioned ? { ...plain, ProvisionedThroughput } : plain
  return {
    code: 'index.create',
    operation: 'UpdateTable',
    input: {
      TableName: table,
      AttributeDefinitions: [...new Set([...index.partition, ...index.sort])].map(name =>
        toAttributeDefinition(design, name),
      ),
      GlobalSecondaryIndexUpdates: [{ Create }],
    },
    message: `Create the index ${index.name} on ${describeKeySchema(indexKeySchemaOf(index))}, with ${describeProjection(index)}.`,
    cost: describeBackfillCost(live, capacity),
    wait: `${index.name} is ACTIVE`,
    optional,
  }
}

function describeProjection({ project }: IndexDesign): string {
  if (project === 'all') return 'all attributes'
  return project === 'keys' || project.length === 0 ? 'keys only' : `keys and ${project.join(', ')}`
}

function replacementDeleteStep(
  context: DiffContext,
  index: IndexDesign,
  present: GlobalSecondaryIndexDescription,
): Step {
  const optional = isSufficient(context, index, present)
  return {
    ...toDeleteInput(context, index.name),
    message: `Delete the index ${index.name}, ${optional ? 'which holds more than is read from it' : 'whose key or projection is not as designed'}, to create it again.`,
    cost: `Until it is built again, no index serves ${index.serves.join('; ')}. To avoid that, give the new index another name.`,
    optional,
  }
}

/** Deletes an index that the design does not have. The step is optional unless there is a reason. */
function deleteStep(context: DiffContext, name: string, reason?: string): Step {
  return {
    ...toDeleteInput(context, name),
    message: `Delete the index ${name}, which the design does not have${reason === undefined ? '' : ` and which ${reason}`}.`,
    cost: 'Saves its writes and its storage. Make sure first that nothing else reads it: building it again takes a backfill.',
    optional: reason === undefined,
  }
}

function toDeleteInput({ table }: DiffContext, name: string) {
  const input: UpdateTableInput = { TableName: table, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: name } }] }
  return {
    code: 'index.delete',
    operation: 'UpdateTable',
    input,
    wait: `${name} is gone`,
  } as const
}

import type { GlobalSecondaryIndexDescription, VectorIndexDescription } from '../../dynamodb/operations/indexes.js'
import type { TableDescription } from '../../dynamodb/operations/table-description.js'

/** What an update is about; the service refuses others by it. */
export type UpdateSubject = 'units' | 'billing' | 'stream' | 'class' | 'encryption' | 'warmth' | 'indexes'

/** An update of a table that is still under way. It was made at once; for some time it shows that it was not. */
export interface PendingUpdate extends DescriptionPatch {
  readonly subjects: readonly UpdateSubject[]
  readonly untilMs: number
  /** The index that is being created, which cannot be read yet. */
  readonly creates?: string | undefined
  /** The same while it has no place yet. */
  readonly allocates?: string | undefined
}

type IndexDescription = GlobalSecondaryIndexDescription | VectorIndexDescription

/** The indexes that can be added and deleted. No two have the same name. */
const INDEX_LISTS = ['GlobalSecondaryIndexes', 'VectorIndexes'] as const
type IndexLists = Pick<TableDescription, (typeof INDEX_LISTS)[number]>

/** What DescribeTable answers otherwise than once all is over. */
interface DescriptionPatch {
  readonly members: TableDescription
  readonly hidden: readonly (keyof TableDescription)[]
  /** Members of indexes, which are told by their names. */
  readonly indexes: readonly IndexDescription[]
  /** Indexes that are gone once it is over. */
  readonly leaving: IndexLists
}

/** Makes of a description what is to show while these are under way. */
export function applyDescriptionPatches(description: TableDescription, patches: readonly DescriptionPatch[]): void {
  for (const { members, hidden, indexes, leaving } of patches) {
    Object.assign(description, structuredClone(members))
    for (const name of hidden) delete description[name]
    for (const index of indexes) Object.assign(findIndexByName(description, index) ?? {}, structuredClone(index))
    for (const list of INDEX_LISTS) {
      const all = [...(description[list] ?? []), ...structuredClone(leaving[list] ?? [])]
      if (all.length > 0) Object.assign(description, { [list]: all })
    }
  }
}

/** In what a description that is to show is not what it will be. */
export function diffDescriptions(visible: TableDescription, final: TableDescription): DescriptionPatch {
  const { GlobalSecondaryIndexes = [], VectorIndexes = [], ...members } = visible
  const isLeaving = (index: IndexDescription) => !findIndexByName(final, index)
  return {
    members: differingMembers(members, final),
    hidden: (Object.keys(final) as (keyof TableDescription)[]).filter(
      name => visible[name] === undefined && final[name] !== undefined,
    ),
    indexes: [...GlobalSecondaryIndexes, ...VectorIndexes].flatMap(index => {
      const after = findIndexByName(final, index)
      return after ? [{ ...differingMembers<object>(index, after), IndexName: index.IndexName }] : []
    }),
    leaving: {
      GlobalSecondaryIndexes: GlobalSecondaryIndexes.filter(isLeaving),
      VectorIndexes: VectorIndexes.filter(isLeaving),
    },
  }
}

function differingMembers<T extends object>(visible: T, final: T): Partial<T> {
  const names = Object.keys(visible) as (keyof T)[]
  return Object.fromEntries(
    names
      .filter(name => visible[name] !== undefined && JSON.stringify(visible[name]) !== JSON.stringify(final[name]))
      .map(name => [name, visible[name]]),
  ) as Partial<T>
}

function findIndexByName(description: TableDescription, { IndexName }: IndexDescription): IndexDescription | undefined {
  return INDEX_LISTS.flatMap((list): IndexDescription[] => description[list] ?? []).find(
    index => index.IndexName === IndexName,
  )
}

import type {
  GlobalSecondaryIndexDescription,
  TableDescription,
  VectorIndexDescription,
} from '../../dynamodb/operation-types.js'

/** The subject of an update, which decides about conflicts with other updates. */
export type UpdateSubject = 'units' | 'billing' | 'stream' | 'class' | 'encryption' | 'warmth' | 'indexes'

/** An update of a table in progress. The change is applied immediately; only the description shows it as pending. */
export interface PendingUpdate extends DescriptionPatch {
  readonly subjects: readonly UpdateSubject[]
  readonly untilMs: number
  /** The index that is being created, which cannot be read yet. */
  readonly creates?: string | undefined
  /** The index that is in its allocation phase. */
  readonly allocates?: string | undefined
}

type IndexDescription = GlobalSecondaryIndexDescription | VectorIndexDescription

/** The lists of indexes that can be added and deleted. They share one namespace. */
const INDEX_LISTS = ['GlobalSecondaryIndexes', 'VectorIndexes'] as const
type IndexLists = Pick<TableDescription, (typeof INDEX_LISTS)[number]>

/** The differences of DescribeTable while an update is in progress. */
interface DescriptionPatch {
  readonly members: TableDescription
  readonly hidden: readonly (keyof TableDescription)[]
  /** Members of indexes, identified by the index name. */
  readonly indexes: readonly IndexDescription[]
  /** Indexes that are being deleted. */
  readonly leaving: IndexLists
}

/** Applies the differences of pending updates to a description. */
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

/** Returns the differences between a visible description and the final one. */
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

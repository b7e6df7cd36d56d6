import type { GlobalSecondaryIndexDescription, VectorIndexDescription } from '../../dynamodb/operations/indexes.js'
import type { TableDescription } from '../../dynamodb/operations/table-description.js'

/** What an update is about; the service refuses others by it. */
export type Subject = 'units' | 'billing' | 'stream' | 'class' | 'encryption' | 'warmth' | 'indexes'

/** An update of a table that is still under way. It was made at once; for some time it shows that it was not. */
export interface UnderWay extends Showing {
  readonly subjects: readonly Subject[]
  readonly untilMs: number
  /** The index that is being created, which cannot be read yet. */
  readonly creates?: string | undefined
  /** The same while it has no place yet. */
  readonly allocates?: string | undefined
}

type IndexDescription = GlobalSecondaryIndexDescription | VectorIndexDescription

/** The indexes that can be added and deleted. No two have the same name. */
const LISTS = ['GlobalSecondaryIndexes', 'VectorIndexes'] as const
type Lists = Pick<TableDescription, (typeof LISTS)[number]>

/** What DescribeTable answers otherwise than once all is over. */
interface Showing {
  readonly members: TableDescription
  readonly hidden: readonly (keyof TableDescription)[]
  /** Members of indexes, which are told by their names. */
  readonly indexes: readonly IndexDescription[]
  /** Indexes that are gone once it is over. */
  readonly leaving: Lists
}

/** Makes of a description what is to show while these are under way. */
export function show(description: TableDescription, underWay: readonly Showing[]): void {
  for (const { members, hidden, indexes, leaving } of underWay) {
    Object.assign(description, structuredClone(members))
    for (const name of hidden) delete description[name]
    for (const index of indexes) Object.assign(named(description, index) ?? {}, structuredClone(index))
    for (const list of LISTS) {
      const all = [...(description[list] ?? []), ...structuredClone(leaving[list] ?? [])]
      if (all.length > 0) Object.assign(description, { [list]: all })
    }
  }
}

/** In what a description that is to show is not what it will be. */
export function showing(shown: TableDescription, final: TableDescription): Showing {
  const { GlobalSecondaryIndexes = [], VectorIndexes = [], ...members } = shown
  const isLeaving = (index: IndexDescription) => !named(final, index)
  return {
    members: differing(members, final),
    hidden: (Object.keys(final) as (keyof TableDescription)[]).filter(
      name => shown[name] === undefined && final[name] !== undefined,
    ),
    indexes: [...GlobalSecondaryIndexes, ...VectorIndexes].flatMap(index => {
      const after = named(final, index)
      return after ? [{ ...differing<object>(index, after), IndexName: index.IndexName }] : []
    }),
    leaving: {
      GlobalSecondaryIndexes: GlobalSecondaryIndexes.filter(isLeaving),
      VectorIndexes: VectorIndexes.filter(isLeaving),
    },
  }
}

function differing<T extends object>(shown: T, final: T): Partial<T> {
  const names = Object.keys(shown) as (keyof T)[]
  return Object.fromEntries(
    names
      .filter(name => shown[name] !== undefined && JSON.stringify(shown[name]) !== JSON.stringify(final[name]))
      .map(name => [name, shown[name]]),
  ) as Partial<T>
}

function named(description: TableDescription, { IndexName }: IndexDescription): IndexDescription | undefined {
  return LISTS.flatMap((list): IndexDescription[] => description[list] ?? []).find(
    index => index.IndexName === IndexName,
  )
}

export interface PathChoices {
  readonly paths: readonly PathName[]
  /** Whether paths may start at the owner of the node. */
  readonly byOwner: boolean
  readonly shards: number
}

export type PathName = 'place' | 'sized' | 'dated' | 'tagged' | 'near' | 'ranked' | 'best'

interface Parts {
  readonly in?: readonly string[]
  readonly order?: readonly string[]
  readonly as?: string
}

const PATHS: Record<Exclude<PathName, 'best'>, Parts> = {
  place: { in: ['name'], order: ['size', 'day'] },
  sized: { order: ['size'] },
  dated: { order: ['day'], as: 'item' },
  tagged: { in: ['tags'], order: ['size'], as: 'item' },
  near: { in: ['name'], order: ['size'], as: 'native' },
  ranked: { order: ['rank'], as: 'local' },
}

/** The paths in the partition of an owner, before or after other members, or sorted by owner. */
const ownerPaths = (owner: string): Partial<Record<PathName, Parts>> => ({
  place: { in: [owner, 'name'] },
  sized: { order: [owner, 'size'] },
  dated: { in: [owner] },
  near: { in: ['name', owner] },
  best: { in: [owner] },
})

/** The possible paths of a node. */
export function nodePaths(
  { paths, byOwner, shards }: PathChoices,
  owner: string | undefined,
  counter: string | undefined,
): object {
  const spread = (name: PathName) => !/near|ranked|best/.test(name) && shards > 1
  const possible = paths.filter(name => (name === 'ranked' ? owner : name !== 'best' || counter))
  const pathOf = (name: PathName) => ({
    ...(name === 'best' ? { order: [counter] } : PATHS[name]),
    ...(byOwner && owner && ownerPaths(owner)[name]),
  })
  return Object.fromEntries(possible.map(name => [name, { ...pathOf(name), ...(spread(name) && { shards }) }]))
}

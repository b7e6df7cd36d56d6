import type { LayoutShape } from '../../layout/fingerprint.js'
import type { Layout } from '../../layout/layout.js'

/** Returns the changes between two shapes that move items or rename stored attributes. */
export function findMovingChanges({ names }: Layout, changes: readonly string[]): string[] {
  const places = [`.keys.${names.partition} `, `.keys.${names.sort} `, '.attributes.', '.mark ']
  const isShardChange = (change: string) =>
    /^kinds(\.[^. ]+){2}\.shards\./.test(change) && change.includes(`.${names.partition} `)
  return changes.filter(
    change =>
      /^(keys|tenant|type)\b|^kinds\.[^ ]+\.[^ ]+ is gone$/.test(change) ||
      places.some(place => change.includes(place)) ||
      isShardChange(change),
  )
}

/** Returns the changes that may give an end another node type, as far as the keys show it. */
export function findEndTypeChanges(
  { graph }: Layout,
  oldShape: Pick<LayoutShape, 'kinds'>,
  changes: readonly string[],
): string[] {
  const wasNode = (name: string) => (oldShape.kinds[name] as { readonly role?: string } | undefined)?.role === 'node'
  return graph.declared.edges.flatMap(({ name: edge, ends }) =>
    changes.filter(change =>
      ends.some(({ name: end, node }) => {
        const texts = change.startsWith(`kinds.${edge}.`) ? change.split(', is "') : []
        const [oldType, newType] = texts.map(text => text.match(`(?:^|["#])([^"#{}]+)#\\{${end}[.}]`)?.[1])
        return oldType !== undefined && oldType !== newType && newType === node.name && wasNode(oldType)
      }),
    ),
  )
}

/** Returns the changes after which a time to live may be left from the old layout or be a foreign one. */
export const findExpiryChanges = ({ names }: Layout, changes: readonly string[]): string[] =>
  changes.filter(change => names.configuredExpires && /^kinds\.[^ ]+(?<!\.keys)\.expires was "/.test(change))

/** Whether both layouts store every item at the same key with the same names, so that both find it. */
export function hasSamePlaces(layout: Layout, changes: readonly string[]): boolean {
  const isOtherType = (change: string) => /\.attributes\.[^ ]+ was "[^ "]+", is "[^ "]+"$/.test(change)
  const isRemoval = (change: string) => / is gone$/.test(change)
  const changesDirection = changes.some(change => change.includes('.undirected '))
  return (
    !changesDirection && findMovingChanges(layout, changes).every(change => isOtherType(change) || isRemoval(change))
  )
}

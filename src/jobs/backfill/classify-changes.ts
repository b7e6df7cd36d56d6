import type { LayoutShape } from '../../layout/fingerprint.js'
import type { Layout } from '../../layout/layout.js'

/** Those of the differences of two shapes by which items lie elsewhere, or what is in them under other names. */
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

/** Those by which the node at an end of an edge is of another type, as far as its keys tell that. */
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

/** Those by which a time to expire may be of the layout before, where others may have written it too. */
export const findExpiryChanges = ({ names }: Layout, changes: readonly string[]): string[] =>
  changes.filter(change => names.configuredExpires && /^kinds\.[^ ]+(?<!\.keys)\.expires was "/.test(change))

/** Whether each item lies in the same place by either of two layouts, with the same names in it, so that it is found by both. */
export function hasSamePlaces(layout: Layout, changes: readonly string[]): boolean {
  const isOtherType = (change: string) => /\.attributes\.[^ ]+ was "[^ "]+", is "[^ "]+"$/.test(change)
  const isRemoval = (change: string) => / is gone$/.test(change)
  const changesDirection = changes.some(change => change.includes('.undirected '))
  return (
    !changesDirection && findMovingChanges(layout, changes).every(change => isOtherType(change) || isRemoval(change))
  )
}

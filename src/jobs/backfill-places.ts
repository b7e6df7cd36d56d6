import type { Shape } from '../layout/fingerprint.js'
import type { Layout } from '../layout/layout.js'

/** Those of the differences of two shapes by which items lie elsewhere, or what is in them under other names. */
export function movesIn({ names }: Layout, changes: readonly string[]): string[] {
  const places = [`.keys.${names.partition} `, `.keys.${names.sort} `, '.attributes.', '.mark ']
  const isSpread = (each: string) => /^kinds(\.[^. ]+){2}\.shards\./.test(each) && each.includes(`.${names.partition} `)
  return changes.filter(
    each =>
      /^(keys|tenant|type)\b|^kinds\.[^ ]+\.[^ ]+ is gone$/.test(each) ||
      places.some(place => each.includes(place)) ||
      isSpread(each),
  )
}

/** Those by which the node at an end of an edge is of another type, as far as its keys tell that. */
export function endsIn({ graph }: Layout, was: Pick<Shape, 'kinds'>, changes: readonly string[]): string[] {
  const isNode = (name: string) => (was.kinds[name] as { readonly role?: string } | undefined)?.role === 'node'
  return graph.declared.edges.flatMap(({ name: edge, ends }) =>
    changes.filter(each =>
      ends.some(({ name: end, node }) => {
        const texts = each.startsWith(`kinds.${edge}.`) ? each.split(', is "') : []
        const [before, after] = texts.map(text => text.match(`(?:^|["#])([^"#{}]+)#\\{${end}[.}]`)?.[1])
        return before !== undefined && before !== after && after === node.name && isNode(before)
      }),
    ),
  )
}

/** Those by which a time to expire may be of the layout before, where others may have written it too. */
export const timesIn = ({ names }: Layout, changes: readonly string[]): string[] =>
  changes.filter(each => names.timed && /^kinds\.[^ ]+(?<!\.keys)\.expires was "/.test(each))

/** Whether each item lies in the same place by either of two layouts, with the same names in it, so that it is found by both. */
export function isSamePlace(layout: Layout, changes: readonly string[]): boolean {
  const isOtherType = (each: string) => /\.attributes\.[^ ]+ was "[^ "]+", is "[^ "]+"$/.test(each)
  const isLess = (each: string) => / is gone$/.test(each)
  const isTurned = changes.some(each => each.includes('.undirected '))
  return !isTurned && movesIn(layout, changes).every(each => isOtherType(each) || isLess(each))
}

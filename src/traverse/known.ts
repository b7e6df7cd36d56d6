import type { Row } from '../plan/row.js'
import { hopKey } from './hop.js'
import type { Neighbor } from './need.js'
import type { Hop, NodeRef } from './traversal.js'

/** The lists of one hop that were read, by the key of the node. */
export interface KnownLists {
  readonly hop: Hop
  readonly lists: Map<string, { readonly node: NodeRef; readonly neighbors: readonly Neighbor[] }>
}

/** Everything that a traversal has read. A walk over it reads nothing twice, and a cursor is made of it. */
export class Known {
  readonly lists = new Map<string, KnownLists>()
  /** Nodes by type and key; `null` where a read found none. */
  readonly nodes = new Map<string, Map<string, { readonly node: NodeRef; readonly row: Row | null }>>()

  listsOf(hop: Hop): KnownLists {
    const key = hopKey(hop)
    let known = this.lists.get(key)
    if (!known) {
      known = { hop, lists: new Map() }
      this.lists.set(key, known)
    }
    return known
  }

  nodesOf(type: string): Map<string, { readonly node: NodeRef; readonly row: Row | null }> {
    let known = this.nodes.get(type)
    if (!known) {
      known = new Map()
      this.nodes.set(type, known)
    }
    return known
  }
}

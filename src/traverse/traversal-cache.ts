import type { PlainRow } from '../plan/row.js'
import { hopKeyOf } from './hop.js'
import type { Neighbor } from './need.js'
import type { Hop, NodeRef } from './traversal.js'

/** The lists of one hop that were read, by the key of the node. */
export interface HopLists {
  readonly hop: Hop
  readonly lists: Map<string, { readonly node: NodeRef; readonly neighbors: readonly Neighbor[] }>
}

/** Everything that a traversal has read. A walk over it reads nothing twice, and a cursor is made of it. */
export class TraversalCache {
  readonly lists = new Map<string, HopLists>()
  /** Nodes by type and key; `null` where a read found none. */
  readonly nodes = new Map<string, Map<string, { readonly node: NodeRef; readonly row: PlainRow | null }>>()

  private readonly refs = new Map<string, Map<string, NodeRef>>()

  /** The nodes of a type by their keys, each one object however many edges lead to it: most lists share nodes. */
  refsOf(type: string): Map<string, NodeRef> {
    let refs = this.refs.get(type)
    if (!refs) {
      refs = new Map()
      this.refs.set(type, refs)
    }
    return refs
  }

  listsOf(hop: Hop): HopLists {
    const key = hopKeyOf(hop)
    let hopLists = this.lists.get(key)
    if (!hopLists) {
      hopLists = { hop, lists: new Map() }
      this.lists.set(key, hopLists)
    }
    return hopLists
  }

  nodesOf(type: string): Map<string, { readonly node: NodeRef; readonly row: PlainRow | null }> {
    let nodes = this.nodes.get(type)
    if (!nodes) {
      nodes = new Map()
      this.nodes.set(type, nodes)
    }
    return nodes
  }
}

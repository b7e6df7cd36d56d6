import type { Layout } from '../../layout/layout.js'
import type { Finding } from './findings.js'

/** Finds owned nodes without `onDelete`: after the deletion of their owner they remain, and no path finds them. */
export const findUndeclaredOwnership = ({ graph }: Layout): Finding[] =>
  graph.declared.nodes.flatMap(({ name, within, onDelete }) => {
    if (!within || onDelete) return []
    const message = `Nodes of type ${name} stay when their ${within.name} is deleted, because nothing is declared. Declare onDelete: 'cascade' to delete them too, 'refuse' to keep the ${within.name}, or 'leave'.`
    return [{ code: 'owned.undeclared', rejected: false, kind: name, message }]
  })

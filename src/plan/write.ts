import type { Layout } from '../layout/layout.js'
import type { OnDelete } from '../schema/declared.js'
import type { Known } from './change-part.js'
import type { Plan, Step } from './plan.js'
import { givenIdentity, givenRow, refusal, type WriteOptions } from './write-given.js'
import { goingPaths, ownedPaths } from './write-going.js'
import { givenPatch } from './write-patch.js'
import { planChanges } from './write-plan.js'
import { requestOf, type WriteRequest } from './write-request.js'
import { traitsOf } from './write-traits.js'

export { goingPaths, ownedPaths, planGoing, planMarked } from './write-going.js'

type Given = Readonly<Record<string, unknown>>

/** Writes a node or an edge that is not there yet. */
export function planCreate(layout: Layout, type: string, row: Given, options: WriteOptions): Plan {
  return planChanges(layout, [givenRow(traitsOf(layout, type), 'create', row, options)])
}

/** Writes a whole node or edge, whether it is there or not. */
export function planPut(layout: Layout, type: string, row: Given, options: WriteOptions): Plan {
  return planChanges(layout, [givenRow(traitsOf(layout, type), 'put', row, options)])
}

/** Changes what a patch gives of a node or an edge that is there. */
export function planUpdate(layout: Layout, type: string, identity: unknown, patch: Given, options: WriteOptions): Plan {
  return planChanges(layout, [givenPatch(traitsOf(layout, type), identity, patch, options)])
}

/** Holds the other writes of a transaction to a node or an edge: it exists, and meets the condition of the options. */
export function planCheck(layout: Layout, type: string, identity: unknown, options: WriteOptions): Plan {
  return planChanges(layout, [givenIdentity(traitsOf(layout, type), 'check', identity, options)])
}

/** Deletes a node or an edge, where one request does it: a node whose edges are left. */
export function planDelete(
  layout: Layout,
  type: string,
  identity: unknown,
  options: WriteOptions & { readonly edges?: OnDelete | undefined },
): Plan {
  const traits = traitsOf(layout, type)
  const [path] = goingPaths(layout, traits.type, options.edges)
  const [owned] = ownedPaths(layout, traits.type)
  if (path || owned)
    throw refusal(
      'node.cascade',
      traits.type,
      (path?.edge ?? owned!.type).name,
      'takes more than one request: delete it by itself',
    )
  return planChanges(layout, [givenIdentity(traits, 'delete', identity, options)])
}

/** The request of a writing step, given what its earlier steps told, if there are any; undefined where there is nothing to do. */
export function lateWrite(layout: Layout, step: Step, known?: Known): WriteRequest | undefined {
  return step.known ?? requestOf(layout, step.changes!, step.receipt, known)
}

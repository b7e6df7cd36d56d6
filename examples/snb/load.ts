import { type OpenedOf, open, type Store } from 'edgewise'
import type { Network } from './generate.js'
import { network } from './graph.js'

/** The maximum number of calls in one batch. */
const BATCH_CALLS = 1_000

/** Creates a table with the rows of a network. Nodes come first, because edges contain copies of them. */
export async function load(rows: Network, store: Store): Promise<SocialNetwork> {
  const g = await open(network, store, { create: true })
  await inBatches(g, [
    ...rows.person.map(row => g.person.put(row)),
    ...rows.place.map(row => g.place.put(row)),
    ...rows.organisation.map(row => g.organisation.put(row)),
    ...rows.tagClass.map(row => g.tagClass.put(row)),
    ...rows.tag.map(row => g.tag.put(row)),
    ...rows.forum.map(row => g.forum.put(row)),
    ...rows.message.map(row => g.message.put({ ...row, tags: [...row.tags] })),
  ])
  await inBatches(g, [
    ...rows.knows.map(row => g.knows.create(row)),
    ...rows.livesIn.map(row => g.livesIn.create(row)),
    ...rows.partOf.map(row => g.partOf.create(row)),
    ...rows.locatedIn.map(row => g.locatedIn.create(row)),
    ...rows.studyAt.map(row => g.studyAt.put(row)),
    ...rows.workAt.map(row => g.workAt.put(row)),
    ...rows.hasInterest.map(row => g.hasInterest.put(row)),
    ...rows.hasType.map(row => g.hasType.create(row)),
    ...rows.subclassOf.map(row => g.subclassOf.create(row)),
    ...rows.moderates.map(row => g.moderates.create(row)),
    ...rows.memberOf.map(row => g.memberOf.put(row)),
    ...rows.contains.map(row => g.contains.create(row)),
    ...rows.wrote.map(row => g.wrote.create(row)),
    ...rows.replyOf.map(row => g.replyOf.create(row)),
    ...rows.inThread.map(row => g.inThread.create(row)),
    ...rows.likes.map(row => g.likes.put(row)),
    ...rows.hasTag.map(row => g.hasTag.put(row)),
  ])
  return g
}

export type SocialNetwork = OpenedOf<typeof network>

type BatchCall = Parameters<SocialNetwork['$batch']>[0][number]

async function inBatches(g: SocialNetwork, calls: readonly BatchCall[]) {
  for (let at = 0; at < calls.length; at += BATCH_CALLS) await g.$batch(calls.slice(at, at + BATCH_CALLS))
}

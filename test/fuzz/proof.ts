import { complaintOf } from './complaints.js'
import type { Call } from './random/operation.js'
import { definitionOf, type TableShape } from './random/tables.js'
import { simpler } from './shrink.js'
import { ask } from './sides/send-call.js'
import { ours, type Side } from './sides/side.js'
import { itemsOf } from './state.js'

/** Most invalid requests have at most two errors. */
const MOST_LESS = 2
const MOST_TRIALS = 400

/**
 * Returns whether a request has this error in addition to the one that this engine reports first. It tries removing
 * parts until this engine reports the other error.
 */
export async function alsoComplainsOf(mine: Side, tables: readonly TableShape[], call: Call, complaint: string) {
  const trial = await copyOf(mine, tables)
  let requests = [call.request]
  let left = MOST_TRIALS
  for (let less = 0; less < MOST_LESS; less++) {
    const next: Record<string, unknown>[] = []
    for (const request of requests)
      for (const simplerRequest of simpler(request)) {
        if (left-- <= 0) return false
        const { refusal } = await ask(trial, { ...call, request: simplerRequest })
        if (refusal && messagesOf(refusal).some(message => complaintOf(message) === complaint)) return true
        next.push(simplerRequest)
      }
    requests = next
  }
  return false
}

function messagesOf({
  message,
  details,
}: {
  message: string
  details: { readonly [name: string]: unknown }
}): string[] {
  const reasons = (details.CancellationReasons ?? []) as { Message?: string }[]
  return [message, ...reasons.flatMap(({ Message }) => Message ?? [])]
}

/** Creates a copy of a side, so that trials have no effect on it. */
async function copyOf(side: Side, tables: readonly TableShape[]): Promise<Side> {
  const copy = ours()
  for (const table of tables) {
    await copy.send('createTable', definitionOf({ ...table, streamed: false }))
    for (const Item of await itemsOf(side, table.name)) await copy.send('putItem', { TableName: table.name, Item })
  }
  return copy
}

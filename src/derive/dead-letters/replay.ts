import { assertArgument, parseOptions, parseWorkOptions } from '../../graph/arguments.js'
import { toStoreError } from '../../graph/run/request-sender.js'
import { rethrowStoreError } from '../../graph/run/store-errors.js'
import { type Layout, layoutOf } from '../../layout/layout.js'
import type { AnyType, Graph } from '../../schema/graph.js'
import type { Store } from '../../store/port.js'
import { retrying } from '../../store/retry.js'
import { consumersName } from '../../table/production/consumers-table.js'
import { DEFAULT_GROUP, type FollowOptions } from '../follow/settings.js'
import { type Consumer, isConsumer } from '../port.js'
import { consumer } from '../settle/consumer.js'
import { type DeadLetter, type DeadLetterLocation, readDeadLetters, removeDeadLetter } from './storage.js'

/** Location of the dead letters: the same values as the options of `follow()`. */
export interface DeadLetterOptions {
  readonly table?: string | undefined
  readonly consumers?: string | undefined
  readonly group?: string | undefined
}

const LOCATION_OPTIONS = 'table, consumers, group'

/** Options of `replay()`. */
export interface ReplayOptions extends DeadLetterOptions {
  /** Ids of the dead letters to replay. Default: all. */
  readonly ids?: readonly string[] | undefined
  /**
   * Called with each record after it was handled, like the option of `follow()`. If it throws, the dead letter
   * remains.
   */
  readonly records?: FollowOptions['records'] | undefined
}

/** The result of `replay()`. */
export interface ReplayResult {
  /** Number of records that were handled and removed from the dead letters. */
  readonly handled: number
  readonly failures: readonly { readonly letter: DeadLetter; readonly error: unknown }[]
}

type ReplaySource<T extends AnyType, Tenant extends boolean> = Graph<T, Tenant> | Layout<T, Tenant> | Consumer

/**
 * Lists records that could not be handled, oldest first in each shard.
 *
 * @param graphOrConsumer The graph, a layout, or the consumer that was followed with.
 * @returns The dead letters, page by page.
 * @throws {call.argument} An option is unknown or has the wrong type.
 * @example
 * ```ts
 * import { counter, edge, graph, node, open, string } from 'edgewise'
 * import { memory } from 'edgewise/engine'
 * import { deadLetters, follow } from 'edgewise/derive'
 *
 * const user = node('user', { name: string(), fans: counter() }, { id: 'name' })
 * const count = { followed: { into: 'fans', by: 'stream' } } as const
 * const social = graph('social', [user, edge('follows', { follower: user, followed: user }, {}, { count })])
 * const store = memory()
 * await open(social, store, { follow: false })
 * const follower = await follow(social, store, { create: true })
 * await follower.stop()
 * for await (const { id, error } of deadLetters(social, store)) console.log(id, error)
 * ```
 */
export async function* deadLetters<T extends AnyType, Tenant extends boolean>(
  graphOrConsumer: ReplaySource<T, Tenant>,
  store: Store,
  options: DeadLetterOptions = {},
): AsyncIterable<DeadLetter> {
  parseOptions('deadLetters', options, LOCATION_OPTIONS)
  try {
    yield* readDeadLetters(locationOf(graphOrConsumer, store, options))
  } catch (error) {
    throw toStoreError(error)
  }
}

/**
 * Handles dead letters again. Records that succeed are removed from the dead letters.
 *
 * @param graphOrConsumer The graph, a layout, or the consumer that handles the records.
 * @returns The number of handled records, and the failures.
 * @throws {call.argument} An option is unknown or has the wrong type.
 * @example
 * ```ts
 * import { counter, edge, graph, node, open, string } from 'edgewise'
 * import { memory } from 'edgewise/engine'
 * import { follow, replay } from 'edgewise/derive'
 *
 * const user = node('user', { name: string(), fans: counter() }, { id: 'name' })
 * const count = { followed: { into: 'fans', by: 'stream' } } as const
 * const social = graph('social', [user, edge('follows', { follower: user, followed: user }, {}, { count })])
 * const store = memory()
 * await open(social, store, { follow: false })
 * const follower = await follow(social, store, { create: true })
 * await follower.stop()
 * const { handled, failures } = await replay(social, store)
 * ```
 */
export async function replay<T extends AnyType, Tenant extends boolean>(
  graphOrConsumer: ReplaySource<T, Tenant>,
  store: Store,
  options: ReplayOptions = {},
): Promise<ReplayResult> {
  const { table, ids = [] } = parseWorkOptions('replay', options, `${LOCATION_OPTIONS}, ids, records`, 'records')
  assertArgument(Array.isArray(ids), 'ids: the value is not an array; give an array of dead letter ids.')
  const recordConsumer = isConsumer(graphOrConsumer)
    ? graphOrConsumer
    : consumer(graphOrConsumer, store, table === undefined ? {} : { table })
  return rethrowStoreError(replayLetters(recordConsumer, locationOf(graphOrConsumer, store, options), options))
}

async function replayLetters(
  recordConsumer: Consumer,
  location: DeadLetterLocation,
  { ids, records }: ReplayOptions,
): Promise<ReplayResult> {
  const failures: { letter: DeadLetter; error: unknown }[] = []
  let handled = 0
  for await (const letter of readDeadLetters(location)) {
    if (ids && !ids.includes(letter.id)) continue
    const failure = await replayLetter(recordConsumer, letter, records)
    if (failure) failures.push({ letter, error: failure.error })
    else {
      await removeDeadLetter(location, letter)
      handled++
    }
  }
  return { handled, failures }
}

async function replayLetter(
  recordConsumer: Consumer,
  { record }: DeadLetter,
  records: ReplayOptions['records'],
): Promise<{ readonly error: unknown } | undefined> {
  try {
    const [failure] = (await recordConsumer.handle([record])).failures
    if (!failure) await records?.([record])
    return failure
  } catch (error) {
    return { error }
  }
}

function locationOf<T extends AnyType, Tenant extends boolean>(
  graphOrConsumer: ReplaySource<T, Tenant>,
  store: Store,
  { table = tableNameOf(graphOrConsumer), consumers = consumersName(table), group = DEFAULT_GROUP }: DeadLetterOptions,
): DeadLetterLocation {
  return { store: retrying(store), table: consumers, group }
}

function tableNameOf<T extends AnyType, Tenant extends boolean>(graphOrConsumer: ReplaySource<T, Tenant>): string {
  return isConsumer(graphOrConsumer) ? graphOrConsumer.layout.design.name : layoutOf(graphOrConsumer).design.name
}

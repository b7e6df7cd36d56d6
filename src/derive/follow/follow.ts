import { parseWorkOptions } from '../../graph/arguments.js'
import { rethrowStoreError } from '../../graph/run/store-errors.js'
import type { Layout } from '../../layout/layout.js'
import type { AnyType, Graph } from '../../schema/graph.js'
import type { Store, Streams } from '../../store/port.js'
import { type Consumer, isConsumer } from '../port.js'
import { consumer } from '../settle/consumer.js'
import { FOLLOW_CALLBACK_NAMES, FOLLOW_OPTION_NAMES, type FollowOptions } from './settings.js'
import { type StreamFollower, startFollower } from './start-follower.js'

/**
 * Follows the stream of a table and maintains its derived data. Followers of one group share the shards of the stream.
 *
 * @param graphOrConsumer The graph, a layout, or a consumer that handles the records.
 * @param store The store that holds the table, with streams.
 * @returns The follower, at work until `stop()` is called or `signal` is aborted.
 * @throws {call.argument} An option is invalid, or the group follows another table.
 * @throws {open.store} The store has no streams.
 * @throws {follow.stream} The table has no stream with both images.
 * @throws {table.absent} The table for checkpoints does not exist and `create` is not set.
 * @example
 * ```ts
 * import { counter, edge, graph, node, open, string } from 'edgewise'
 * import { memory } from 'edgewise/engine'
 * import { follow } from 'edgewise/derive'
 *
 * const user = node('user', { name: string(), fans: counter() }, { id: 'name' })
 * const count = { followed: { into: 'fans', by: 'stream' } } as const
 * const social = graph('social', [user, edge('follows', { follower: user, followed: user }, {}, { count })])
 * const store = memory()
 * await open(social, store, { follow: false })
 * const follower = await follow(social, store, { create: true })
 * await follower.settled()
 * await follower.stop()
 * ```
 */
export async function follow<T extends AnyType, Tenant extends boolean>(
  graphOrConsumer: Graph<T, Tenant> | Layout<T, Tenant> | Consumer,
  store: Store & Streams,
  options: FollowOptions = {},
): Promise<StreamFollower> {
  const { table, clock, random, signal } = parseWorkOptions(
    'follow',
    options,
    FOLLOW_OPTION_NAMES,
    FOLLOW_CALLBACK_NAMES,
  )
  const consumerOptions = { ...(table !== undefined && { table }), ...(clock && { clock }), ...(random && { random }) }
  const recordConsumer = isConsumer(graphOrConsumer)
    ? graphOrConsumer
    : consumer(graphOrConsumer, store, consumerOptions)
  return rethrowStoreError(startFollower(recordConsumer, store, options), signal)
}

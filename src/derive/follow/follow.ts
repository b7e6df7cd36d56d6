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
 * Keeps what the stream of a graph's table derives: reads its shards, shared with the other followers of the group, and
 * hands their records to a consumer of the graph, or to one that is given in its place.
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

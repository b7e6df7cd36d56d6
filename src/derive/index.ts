export type { ChangeRecord, StreamRecord } from '../dynamodb/operation-types.js'
export { type Change, type ChangesOptions, changes } from './change-feed.js'
export {
  type DeadLetterOptions,
  deadLetters,
  type ReplayOptions,
  type ReplayResult,
  replay,
} from './dead-letters/replay.js'
export type { DeadLetter } from './dead-letters/storage.js'
export type { FollowEvent } from './follow/events.js'
export { follow } from './follow/follow.js'
export type { Gap } from './follow/gap.js'
export type { FollowOptions } from './follow/settings.js'
export type { FollowStats } from './follow/shard-coordinator.js'
export type { StreamFollower } from './follow/start-follower.js'
export { type LambdaBatchResponse, type LambdaEvent, type LambdaOptions, lambdaHandler } from './lambda.js'
export type { Consumer, HandleResult } from './port.js'
export type { JsonRecord } from './record-json.js'
export { type ConsumerOptions, consumer } from './settle/consumer.js'

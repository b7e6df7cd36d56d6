export type * from '../dynamodb/further.js'
export { type AwsStore, type ClientOptions, type Connected, dynamodb, type GivenClient } from './dynamodb.js'

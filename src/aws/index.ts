export type * from '../dynamodb/service-types.js'
export { type AwsClient, type AwsStore, type AwsStoreOptions, type ClientOptions, dynamodb } from './dynamodb.js'

// The shapes of DynamoDB's requests and responses, as types.
export type * from './attribute-value.js'
export type * from './exception.js'
export type * from './operation-types.js'

import { type Fault, refusing } from './fault.js'
import { listOf } from './values.js'

const CANCELLED = /^TransactionCanceledException/

/** The faults of DynamoDB Local, which cancels transactions differently from observations on AWS. */
export const LOCAL_TRANSACTION_FAULTS: readonly Fault[] = [
  refusing('it refuses a whole transaction for what cancels it by one action', CANCELLED, /^ValidationException/),
  refusing(
    'it cancels a transaction by one action before it has looked at what is wrong with the others',
    /^ValidationException/,
    CANCELLED,
    ({ call }) => ((call.request.TransactItems ?? []) as unknown[]).length > 1,
  ),
  refusing(
    'a transaction does what it should cancel for the type of an index key, or for a path into a key',
    /reasons \[.*ValidationError/,
    /^answered/,
    ({ outcomes }) =>
      /Type mismatch for Index Key|secondary index key to unsupported|must be scalars/.test(
        JSON.stringify(outcomes.ours),
      ),
  ),
  {
    says: 'it tells no reasons why a transaction of reads was cancelled',
    explains: ({ at, call, theirs }) =>
      at.startsWith('reason') && call.operation === 'transactGetItems' && theirs === undefined,
  },
  {
    says: 'it tells only one reason why a transaction was cancelled',
    explains: ({ at, call, ours, theirs }) =>
      at === 'reasons' &&
      call.operation === 'transactWriteItems' &&
      listOf(theirs).length === 1 &&
      listOf(theirs)[0] === 'ValidationError' &&
      listOf(ours).includes('ValidationError'),
  },
  {
    says: 'it cancels a transaction by conditions, and does not come to what is wrong with an action by itself',
    explains: ({ at, call, ours, theirs }) =>
      at === 'reasons' &&
      call.operation === 'transactWriteItems' &&
      listOf(theirs).length === listOf(ours).length &&
      listOf(theirs).every((code, i) => code === listOf(ours)[i] || listOf(ours)[i] === 'ValidationError'),
  },
]

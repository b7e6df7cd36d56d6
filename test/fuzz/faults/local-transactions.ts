import { type Fault, refusing } from './fault.js'
import { listOf } from './values.js'

const CANCELLED = /^TransactionCanceledException/

/** The faults of DynamoDB Local, which cancels transactions differently from observations on AWS. */
export const LOCAL_TRANSACTION_FAULTS: readonly Fault[] = [
  refusing(
    'an error of one action rejects the whole transaction instead of cancelling it',
    CANCELLED,
    /^ValidationException/,
  ),
  refusing(
    'one action cancels a transaction before the other actions are validated',
    /^ValidationException/,
    CANCELLED,
    ({ call }) => ((call.request.TransactItems ?? []) as unknown[]).length > 1,
  ),
  refusing(
    'a transaction succeeds despite a wrong index key type or a path into a key',
    /reasons \[.*ValidationError/,
    /^answered/,
    ({ outcomes }) =>
      /Type mismatch for Index Key|secondary index key to unsupported|must be scalars/.test(
        JSON.stringify(outcomes.ours),
      ),
  ),
  {
    description: 'a cancelled transactional read has no reasons',
    explains: ({ at, call, theirs }) =>
      at.startsWith('reason') && call.operation === 'transactGetItems' && theirs === undefined,
  },
  {
    description: 'a cancelled transaction has only one reason',
    explains: ({ at, call, ours, theirs }) =>
      at === 'reasons' &&
      call.operation === 'transactWriteItems' &&
      listOf(theirs).length === 1 &&
      listOf(theirs)[0] === 'ValidationError' &&
      listOf(ours).includes('ValidationError'),
  },
  {
    description: 'a failed condition cancels a transaction before its actions are validated',
    explains: ({ at, call, ours, theirs }) =>
      at === 'reasons' &&
      call.operation === 'transactWriteItems' &&
      listOf(theirs).length === listOf(ours).length &&
      listOf(theirs).every((code, i) => code === listOf(ours)[i] || listOf(ours)[i] === 'ValidationError'),
  },
]

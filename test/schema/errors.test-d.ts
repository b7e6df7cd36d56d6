// What `GraphError.is` narrows. The compiler checks this file.
import { type Code, type ErrorDetails, GraphError } from '../../src/index.js'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
const holds = <_ extends true>() => {}

declare const error: unknown

if (GraphError.is(error)) {
  holds<Equal<typeof error.code, Code>>()
  const details: ErrorDetails = error.details
  details.failed?.map(({ call }) => call)
}

if (GraphError.is(error, 'write.exists')) {
  holds<Equal<typeof error.code, 'write.exists'>>()
  holds<Equal<typeof error.details.type, string>>()
  holds<Equal<typeof error.details.value, Readonly<Record<string, unknown>>>>()
  // @ts-expect-error another code
  error.code satisfies 'write.absent'
}

if (GraphError.is(error, 'batch.failed')) for (const { call, error: reason } of error.details.failed) [call, reason]
if (GraphError.is(error, 'value.check')) error.details.issues[0]?.message satisfies string | undefined
if (GraphError.is(error, 'key.collision')) error.details.example.texts satisfies readonly string[]
if (GraphError.is(error, 'key.order')) error.details.missingSlots satisfies readonly string[]

if (GraphError.is(error, 'cursor.*')) {
  holds<Equal<typeof error.code, 'cursor.invalid' | 'cursor.mismatch'>>()
  if (error.code === 'cursor.invalid') holds<Equal<typeof error.code, 'cursor.invalid'>>()
}

declare const code: 'write.exists' | 'write.absent'
if (GraphError.is(error, code)) holds<Equal<typeof error.code, 'write.exists' | 'write.absent'>>()

// An error of one code is an error of its group, and of any code.
declare const exists: GraphError<'write.exists'>
const widened: GraphError<'write.exists' | 'write.absent'> = exists
const whole: GraphError = widened
// @ts-expect-error an error of any code may have another code
const narrowed: GraphError<'write.exists'> = whole
void narrowed

// @ts-expect-error a code that does not exist
GraphError.is(error, 'write.exist')
// @ts-expect-error a group that does not exist
GraphError.is(error, 'wrote.*')
// @ts-expect-error a group ends in `.*`
GraphError.is(error, 'write')

// @ts-expect-error the details of this code have a type and a name
new GraphError('write.unknown', 'movie: the attribute is not declared; leave it out.')
new GraphError('write.unknown', 'movie: the attribute is not declared; leave it out.', { type: 'movie', name: 'yaer' })
new GraphError('call.closed', 'graph: it is closed; open it again.')

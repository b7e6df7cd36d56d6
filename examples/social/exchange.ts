import { GraphError } from 'edgewise'

/** A request, received by API Gateway or by our own server. */
export interface ApiRequest {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string | undefined>>
  /** Headers by lowercase name. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string | undefined
}

export interface ApiAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** An error for an invalid request. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

export function answer(status: number, content?: unknown, headers: Readonly<Record<string, string>> = {}): ApiAnswer {
  if (content === undefined) return { status, headers, body: '' }
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(content) }
}

/** Parses the body as a JSON object and rejects unknown members. The graph validates their values. */
export function bodyOf({ body = '' }: ApiRequest, names: readonly string[]): Record<string, unknown> {
  const members = parsed(body)
  if (typeof members !== 'object' || members === null || Array.isArray(members))
    throw new Refusal(400, 'request.body', 'give a JSON object')
  const unknown = Object.keys(members).filter(name => !names.includes(name))
  if (unknown.length > 0) throw new Refusal(400, 'request.body', `give ${names.join(', ')}, and not ${unknown}`)
  return { ...members }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** HTTP status by error code, or by the first word of the code. */
const STATUS: Readonly<Record<string, number>> = {
  'edge.carry.absent': 404,
  'edge.end.absent': 404,
  'node.deleting': 404,
  'unique.taken': 409,
  'write.absent': 404,
  'write.condition': 412,
  'write.contended': 503,
  'write.exists': 409,
  'write.token': 409,
  'store.throttled': 503,
  cursor: 400,
  key: 400,
  read: 400,
  value: 400,
  write: 400,
}

/** Converts an error to a response. Errors that the client cannot fix are only logged. */
export function failureAnswer(error: unknown, log: (error: unknown) => void): ApiAnswer {
  if (error instanceof Refusal) return answer(error.status, { code: error.code, message: error.message })
  if (error instanceof GraphError) {
    const status = STATUS[error.code] ?? STATUS[error.code.split('.')[0]!]
    if (status === 503) return answer(503, { code: error.code, message: 'try again' }, { 'retry-after': '1' })
    if (status !== undefined) return answer(status, { code: error.code, message: error.message })
  }
  log(error)
  return answer(500, { code: 'failure', message: 'something failed here' })
}

import { attribute, standard } from '../attribute.js'
import type { DeclaredAttribute } from '../declared.js'
import type { StandardSchema } from '../standard.js'
import { decodeNumber, encodeNumber } from './number.js'

/** A number that an edge keeps by its `count` or `sum`. It is read, never written. */
export interface Counter extends StandardSchema<number> {
  readonly declared: DeclaredAttribute
  readonly '~flag': 'derived'
  readonly '~counter': true
}

export function counter(): Counter {
  const { declared } = attribute<number>({
    kind: 'counter',
    derived: true,
    absent: () => 0,
    encode: encodeNumber,
    decode: decodeNumber,
  })
  return { declared, '~standard': standard(declared) } as Counter
}

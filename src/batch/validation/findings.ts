import type { AttributeValue, Item, Key } from '../../dynamodb/attribute-value.js'
import { fromBase64, toBase64 } from '../../jobs/rows/base64.js'
import type { FaultCode } from '../../jobs/verify/fault.js'

/** An inconsistency that a validation found. */
export interface ValidationFinding {
  readonly code: FaultCode
  readonly type: string
  /** The attributes of the row that its item has, or the key of the item. */
  readonly row: Readonly<Record<string, unknown>>
  readonly name?: string | undefined
  readonly expected?: AttributeValue | Item | undefined
  readonly found?: AttributeValue | Item | undefined
  readonly tenant?: string | undefined
  /** The key of the item that it was found on. */
  readonly key: Key
}

/** A finding as a line of a file, which `edgewise repair --findings` reads. */
export const findingLine = (finding: ValidationFinding): string =>
  `${JSON.stringify(finding, (_, value) => (value instanceof Uint8Array ? { base64: toBase64(value) } : plain(value)))}\n`

const plain = (value: unknown) =>
  typeof value === 'bigint' ? String(value) : value instanceof Set ? [...value] : value

/** The key in a line of a findings file; undefined if the line is not a finding. */
export function keyOfLine(line: string): Key | undefined {
  try {
    const { key } = JSON.parse(line, (_, value) =>
      typeof value?.base64 === 'string' && Object.keys(value).length === 1 ? fromBase64(value.base64) : value,
    ) as { key?: unknown }
    return typeof key === 'object' && key !== null && !Array.isArray(key) ? (key as Key) : undefined
  } catch {
    return undefined
  }
}

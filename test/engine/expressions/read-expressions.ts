import type { AttributeValue, Item } from '../../../src/dynamodb/attribute-value.js'
import type { ExpressionKind } from '../../../src/engine/expressions/expression-errors.js'
import {
  ExpressionReader,
  type ExpressionRequest,
  type RequestExpressions,
} from '../../../src/engine/expressions/expression-reader.js'
import { parseInputItem } from '../../../src/engine/values/parse-item.js'
import type { ValidatorLayer } from '../../../src/engine/values/validator-layer.js'

/** A value of each type, for expressions that mention it. */
const VALUES: Record<string, AttributeValue> = {
  ':s': { S: 'x' },
  ':s2': { S: 'a' },
  ':n': { N: '1' },
  ':n2': { N: '0' },
  ':b': { B: new Uint8Array([120]) },
  ':bool': { BOOL: true },
  ':null': { NULL: true },
  ':l': { L: [{ N: '1' }] },
  ':m': { M: { a: { N: '1' } } },
  ':ss': { SS: ['a'] },
  ':ns': { NS: ['1'] },
  ':bs': { BS: [new Uint8Array([120])] },
  ':type': { S: 'N' },
}

const NAMES: Record<string, string> = {
  '#a': 'a',
  '#b': 'b',
  '#c': 'c',
  '#dot': 'a.b',
  '#proto': '__proto__',
  '#constructor': 'constructor',
}

/** Selects the entries that a text mentions, so that none is unused. */
function mentioned<Entry>(text: string, all: Record<string, Entry>): Record<string, Entry> | undefined {
  const found = Object.entries(all).filter(([key]) => new RegExp(`${key}(?![A-Za-z0-9_])`).test(text))
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

const reader = new ExpressionReader(1000)

export function readExpressions(
  request: ExpressionRequest,
  takingValues?: readonly ExpressionKind[],
  layer: ValidatorLayer = 'current',
): RequestExpressions {
  return reader.read(request, layer, takingValues)
}

export function read(
  kind: ExpressionKind,
  text: string,
  values: Record<string, AttributeValue> = {},
): RequestExpressions {
  const request = {
    [kind]: text,
    ExpressionAttributeNames: mentioned(text, NAMES),
    ExpressionAttributeValues: mentioned(text, { ...VALUES, ...values }),
  }
  return readExpressions(request, [kind])
}

/** Returns the error of an expression without the name of its kind; undefined if it is accepted. */
export function complaint(
  kind: ExpressionKind,
  text: string,
  values?: Record<string, AttributeValue>,
): string | undefined {
  try {
    read(kind, text, values)
    return undefined
  } catch (error) {
    const { name, message } = error as Error
    if (name !== 'ValidationException') throw error
    return message.replace(`Invalid ${kind}: `, '')
  }
}

/** Returns an item as the engine stores it. */
export function toStored(item: Item): Item {
  return parseInputItem(item, 'current').item
}

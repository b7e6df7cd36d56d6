import { toWire } from './encode.js'
import type { ItemTexts } from './item-texts.js'

/** An answer as JSON. The items that reads answer with are most of it, and mostly written before. */
export function write(answer: unknown, texts: ItemTexts): string {
  if (typeof answer !== 'object' || answer === null) return '{}'
  let written = ''
  for (const name in answer) {
    const member = (answer as Record<string, unknown>)[name]
    // What an SDK says of the exchange is not of the answer.
    if (member === undefined || name === '$metadata') continue
    const separator = written === '' ? '{"' : ',"'
    // The names are the service's, and need no escapes.
    written += `${separator}${name}":${writeMember(name, member, texts)}`
  }
  return written === '' ? '{}' : `${written}}`
}

function writeMember(name: string, member: unknown, texts: ItemTexts): string {
  if (name === 'Item') return texts.of(member)
  if (name === 'Items' && Array.isArray(member)) return writeItems(member, texts)
  if (name === 'Responses') return writeResponses(member, texts)
  if (name === 'SearchResults' && Array.isArray(member)) return `[${member.map(found => write(found, texts)).join()}]`
  const written = JSON.stringify(toWire(member))
  if (name === 'Score') return written.replace(WHOLE, '$&.0')
  return name === 'ConsumedCapacity' || name === 'ItemCollectionMetrics' ? withPoints(written) : written
}

/** Within a text every quote is escaped, so that nothing of one is taken for these. */
const UNITS = /((?:Units|RequestBytes)":\d+)(?=[,}])/g
const WHOLE = /^-?\d+$/
const SIZES = /("SizeEstimateRangeGB":\[)(\d+),(\d+)\]/g

/** Units, bytes and sizes are no integers, and are not written as such. */
function withPoints(written: string): string {
  return written.replace(UNITS, '$1.0').replace(SIZES, '$1$2.0,$3.0]')
}

function writeItems(items: readonly unknown[], texts: ItemTexts): string {
  let written = '['
  for (let index = 0; index < items.length; index++) {
    if (index > 0) written += ','
    written += texts.of(items[index])
  }
  return `${written}]`
}

/** Of a batch the items of each table; of a transaction or statements an answer each. */
function writeResponses(responses: unknown, texts: ItemTexts): string {
  if (Array.isArray(responses)) return `[${responses.map(response => write(response, texts)).join()}]`
  const tables = Object.entries(responses as object).map(([table, items]) => {
    const written = Array.isArray(items) ? writeItems(items, texts) : JSON.stringify(toWire(items))
    return `${JSON.stringify(table)}:${written}`
  })
  return `{${tables.join()}}`
}

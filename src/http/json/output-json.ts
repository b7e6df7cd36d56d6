import type { ItemJsonCache } from './item-json-cache.js'
import { toWireValue } from './wire-json.js'

/** Serializes a response. Items of reads make up most of it, and their texts are usually cached. */
export function formatOutput(output: unknown, texts: ItemJsonCache): string {
  if (typeof output !== 'object' || output === null) return '{}'
  let json = ''
  for (const name in output) {
    const member = (output as Record<string, unknown>)[name]
    // SDK metadata is not a part of the response.
    if (member === undefined || name === '$metadata') continue
    const separator = json === '' ? '{"' : ',"'
    // These names are the service's and need no escaping.
    json += `${separator}${name}":${formatMember(name, member, texts)}`
  }
  return json === '' ? '{}' : `${json}}`
}

function formatMember(name: string, member: unknown, texts: ItemJsonCache): string {
  if (name === 'Item') return texts.stringify(member)
  if (name === 'Items' && Array.isArray(member)) return formatItems(member, texts)
  if (name === 'Responses') return formatResponses(member, texts)
  if (name === 'SearchResults' && Array.isArray(member))
    return `[${member.map(result => formatOutput(result, texts)).join()}]`
  const json = JSON.stringify(toWireValue(member))
  if (name === 'Score') return json.replace(WHOLE, '$&.0')
  return name === 'ConsumedCapacity' || name === 'ItemCollectionMetrics' ? withDecimalPoints(json) : json
}

/** Every quote within a string is escaped, so these patterns cannot match inside a string. */
const UNITS = /((?:Units|RequestBytes)":\d+)(?=[,}])/g
const WHOLE = /^-?\d+$/
const SIZES = /("SizeEstimateRangeGB":\[)(\d+),(\d+)\]/g

/** Units, bytes and sizes are floating-point numbers and are written with a decimal point. */
function withDecimalPoints(written: string): string {
  return written.replace(UNITS, '$1.0').replace(SIZES, '$1$2.0,$3.0]')
}

function formatItems(items: readonly unknown[], texts: ItemJsonCache): string {
  let json = '['
  for (let index = 0; index < items.length; index++) {
    if (index > 0) json += ','
    json += texts.stringify(items[index])
  }
  return `${json}]`
}

/** A batch returns items by table; a transaction or a batch of statements returns one response each. */
function formatResponses(responses: unknown, texts: ItemJsonCache): string {
  if (Array.isArray(responses)) return `[${responses.map(response => formatOutput(response, texts)).join()}]`
  const tables = Object.entries(responses as object).map(([table, items]) => {
    const json = Array.isArray(items) ? formatItems(items, texts) : JSON.stringify(toWireValue(items))
    return `${JSON.stringify(table)}:${json}`
  })
  return `{${tables.join()}}`
}

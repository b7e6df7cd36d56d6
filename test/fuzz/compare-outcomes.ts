import type { Difference } from './difference.js'
import type { Call } from './random/operation.js'
import type { TableShape } from './random/tables.js'
import { byText, type Outcome, type Plain, type Refusal, textOf } from './sides/outcome.js'

type Page = { readonly [name: string]: Plain }

/** Returns all differences between two outcomes of a call, except in unspecified behavior. */
export function differences(call: Call, tables: readonly TableShape[], ours: Outcome, theirs: Outcome): Difference[] {
  if (ours.refusal || theirs.refusal) return refusals(ours.refusal, theirs.refusal)
  const view = viewOf(call, tables)
  return unequal(view(ours.pages), view(theirs.pages))
}

function unequal(ours: Page, theirs: Page): Difference[] {
  const names = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])]
  return names
    .filter(name => textOf(ours[name]) !== textOf(theirs[name]))
    .map(at => ({ at, ours: ours[at], theirs: theirs[at] }))
}

function refusals(ours: Refusal | undefined, theirs: Refusal | undefined): Difference[] {
  const [mine, their] = [ours?.name ?? 'answered', theirs?.name ?? 'answered']
  if (!ours || !theirs || mine !== their) return [{ at: 'outcome', ours: mine, theirs: their }]
  const found = unequal(refusalView(ours), refusalView(theirs)).map(difference => {
    const [mine, their] = [difference.ours, difference.theirs].map(message => STABLE.exec(String(message))?.[0])
    return difference.at === 'message' && mine !== undefined && mine === their
      ? { ...difference, at: 'text' }
      : difference
  })
  // Reasons of different kinds always have different messages and items.
  return found.some(({ at }) => at === 'reasons')
    ? found.filter(({ at }) => !at.startsWith('reason') || at === 'reasons')
    : found
}

/** The prefix that the service's current validator adds to messages of some operations. */
const ENVELOPE = /^1 validation error detected: (?!Value ')/

/** Messages about a single expression that are identical in all implementations. */
const STABLE =
  /^Invalid \w+: (?:Syntax error|Attribute name is a reserved keyword|Invalid function name|The expression (?:has redundant|can not be)|An expression attribute \w+ used)/

function refusalView({ message, details }: Refusal): Page {
  const reasons = details.CancellationReasons as { Code?: string; Message?: string; Item?: Plain }[] | undefined
  return {
    message: reasons ? '' : message.replace(ENVELOPE, ''),
    ...(details.Item !== undefined && { Item: details.Item }),
    ...(reasons && {
      reasons: reasons.map(({ Code }) => Code ?? ''),
      reasonMessages: reasons.map(({ Message }) => (Message ?? '').replace(ENVELOPE, '')),
      reasonItems: reasons.map(({ Item }) => Item ?? null),
    }),
  }
}

type View = (pages: readonly Page[]) => Page

/** Returns the function that selects the compared part of the outcome. */
function viewOf({ operation, request }: Call, tables: readonly TableShape[]): View {
  if (operation === 'batchGetItem') return ([page]) => ({ ...onePage(page!), ...sortedResponses(page!) })
  if (operation !== 'query' && operation !== 'scan') return ([page]) => onePage(page!)
  if (operation === 'query' && request.IndexName === undefined) return pageByPage
  if (request.ExclusiveStartKey !== undefined) return () => ({})
  if (operation === 'scan') return request.TotalSegments === undefined ? inAnyOrder : inAnySegments
  const table = tables.find(({ name }) => name === request.TableName)
  const sort = table?.indexes.find(({ name }) => name === request.IndexName)?.sort ?? []
  return inLooseOrder(sort.map(({ name }) => name))
}

/** Tables can be listed in any order. */
function onePage(page: Page): Page {
  const { ConsumedCapacity } = page
  if (!Array.isArray(ConsumedCapacity)) return page
  const named = (capacity: Plain) => textOf((capacity as Record<string, Plain>).TableName)
  return { ...page, ConsumedCapacity: ConsumedCapacity.toSorted((a, b) => (named(a) < named(b) ? -1 : 1)) }
}

function sortedResponses({ Responses }: Page): Page {
  const tables = Object.entries((Responses ?? {}) as Record<string, Plain[]>)
  return { Responses: Object.fromEntries(tables.map(([name, items]) => [name, items.toSorted(byText)])) }
}

const listOf = (pages: readonly Page[], name: string) => pages.map(page => page[name] ?? null)
const sumOf = (pages: readonly Page[], name: string) =>
  pages.reduce((sum, page) => sum + Number(page[name] ?? Number.NaN), 0)

/** Compares a read with a specified order. */
function pageByPage(pages: readonly Page[]): Page {
  return {
    pages: pages.length,
    Items: listOf(pages, 'Items'),
    Count: listOf(pages, 'Count'),
    ScannedCount: listOf(pages, 'ScannedCount'),
    LastEvaluatedKey: listOf(pages, 'LastEvaluatedKey'),
    ConsumedCapacity: listOf(pages, 'ConsumedCapacity'),
  }
}

/** With several pages in unspecified order, the content and cost of each page are unspecified too. */
function totals(pages: readonly Page[]): Page {
  return {
    pages: pages.length,
    Count: sumOf(pages, 'Count'),
    ScannedCount: sumOf(pages, 'ScannedCount'),
    hasItems: pages.every(page => page.Items !== undefined),
    ...(pages.length === 1 && { ConsumedCapacity: listOf(pages, 'ConsumedCapacity') }),
  }
}

const itemsOf = (pages: readonly Page[]) => pages.flatMap(page => (page.Items ?? []) as Plain[])

function inAnyOrder(pages: readonly Page[]): Page {
  return { ...totals(pages), Items: itemsOf(pages).sort(byText) }
}

/** The boundaries of segments are unspecified, and therefore the number of pages and their cost. */
function inAnySegments(pages: readonly Page[]): Page {
  const { pages: _, ConsumedCapacity: __, ...rest } = inAnyOrder(pages)
  return rest
}

/** Compares the order by the sort key of an index; items with equal keys can be in any order. */
function inLooseOrder(sort: readonly string[]): View {
  return pages => {
    const items = itemsOf(pages) as Record<string, Plain>[]
    const haveSortKeys = items.every(item => sort.every(name => item[name] !== undefined))
    if (!haveSortKeys || sort.length === 0) return inAnyOrder(pages)
    const keyOf = (item: Record<string, Plain>) => sort.map(name => item[name]!)
    const groups: Plain[][] = []
    for (const [i, item] of items.entries()) {
      const before = items[i - 1]
      if (before && textOf(keyOf(before)) === textOf(keyOf(item))) groups.at(-1)!.push(item)
      else groups.push([item])
    }
    return { ...totals(pages), Items: groups.map(group => group.sort(byText)) }
  }
}
